"""Outcome sentence: how a match ended, for the reader who played it."""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.play.models.match import Status
from games.play.record.match_view import MatchView
from games.play.words import narration
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination

# By the reason in the record: the sentence for the winner, and for the loser.
ENDED_BY: dict[str, tuple[str, str]] = {
    OffBoardTermination.RESIGNED: (
        gettext_noop("%(opponent)s resigned. You won."),
        gettext_noop("You resigned. %(opponent)s won."),
    ),
    OffBoardTermination.TIME: (
        gettext_noop("%(opponent)s ran out of time. You won."),
        gettext_noop("You ran out of time. %(opponent)s won."),
    ),
}


class OutcomeSentence(NamedTuple):
    """A sentence, and "won" or "lost" if the reader played and there was a winner."""

    sentence: str
    side: str = ""


def outcome(view: MatchView) -> OutcomeSentence | None:
    """How the match ended for this reader; None while it is running."""
    match = view.match
    if match.is_live:
        return None
    opponent = view.opponent
    if opponent is None or match.status != Status.FINISHED or match.result == "draw":
        return OutcomeSentence(narration.ending(view))
    won = Seat(view.rules.seat_letters.index(match.result)) is view.seat
    words = ENDED_BY.get(match.reason)
    if words:
        text = _(words[0] if won else words[1])
    else:
        text = _("You won: %(reason)s.") if won else _("%(opponent)s won: %(reason)s.")
    values = {"opponent": opponent.user, "reason": narration.reason(match.reason)}
    return OutcomeSentence(text % values, "won" if won else "lost")
