"""Subjects of e-mails: one for all that is about a match, since mail programs thread by it.

They are read over shoulders and on locked screens, so they hold public facts alone.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.notifications.policy.relevance import InvitationView
from games.play.models.match import Match
from games.play.record.match_view import MatchView


def of_match(view: MatchView) -> str:
    """The subject of every e-mail and receipt about a match."""
    assert view.opponent is not None  # noqa: S101 - only players are notified
    return match_subject(view.match, view.opponent.user)


def match_subject(match: Match, opponent: object) -> str:
    """ "Match 7: Bob, L'Attaque"."""
    facts = {"number": match.pk, "opponent": opponent, "game": _(match.rules.title)}
    return _("Match %(number)s: %(opponent)s, %(game)s") % facts


def of_invitation(view: InvitationView) -> str:
    """The subject of every e-mail and receipt about an invitation, whoever has accepted it."""
    about = view.invitation
    facts = {"number": about.pk, "other": view.other, "game": _(about.rules.title)}
    if view.other is None:
        return _("Invitation %(number)s: %(game)s") % facts
    return _("Invitation %(number)s: %(other)s, %(game)s") % facts


def of_digest(count: int, urgent: int) -> str:
    """What is urgent, else how many matches wait."""
    if urgent:
        told = ngettext(
            "%(counter)s urgent: less than a day left",
            "%(counter)s urgent: less than a day left",
            urgent,
        )
        return told % {"counter": urgent}
    if count:
        told = ngettext(
            "%(counter)s match is waiting for you", "%(counter)s matches are waiting for you", count
        )
        return told % {"counter": count}
    return _("News about your matches")
