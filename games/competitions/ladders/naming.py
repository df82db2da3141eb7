"""What a match is to a ladder, in words: for the e-mails with which it begins."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.competitions.ladders.models import Challenge
from games.play.models.match import Match
from games.ratings import units


def sentence(match: Match) -> str:
    """Which challenge a match is, with the names; "" for other matches. One query."""
    found = Challenge.objects.filter(match=units.first_of(match))
    challenge = found.select_related("ladder", "challenger", "challenged").first()
    if challenge is None:
        return ""
    words = _("%(challenger)s challenges %(challenged)s on the ladder of %(game)s.") % {
        "challenger": challenge.challenger,
        "challenged": challenge.challenged,
        "game": challenge.ladder.title,
    }
    if challenge.ladder.rated and not match.rated:
        return f"{words} {friendly_sentence()}"
    return words


def friendly_sentence() -> str:
    """Why a challenge is not rated although the ladder is."""
    return _("It is friendly, since you two cannot play a rated match at the moment.")
