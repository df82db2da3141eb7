"""Own plan: what a match page and the e-mail about a turn tell a player of their plan.

The columns in clear were read with the match. Only an answer that waits, or the reason why a plan
was dropped, is read and unsealed, by one query.
"""

from enum import Enum
from typing import NamedTuple

from games.play.models.kind import PlyKind
from games.play.models.plan import PlanRow, PlanState
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.record.sealed import plans
from games.play.record.sealed.plans import Reason
from games.play.record.snapshot import Entry


class News(Enum):
    """What a player has to know of their plan on their turn."""

    WAITS = "waits"  # its answer is played later
    HELD_BY_OFFER = "held by an offer"
    HELD_BY_PAUSE = "held by a pause"
    NO_LINE = "no line"  # dropped: none fitted the turn
    NOT_LEGAL = "not legal"  # dropped: its answer was not legal
    FAILED = "failed"
    ENDED = "ended"


class OwnPlan(NamedTuple):
    """The reader's plan for the turn that has come, and the answer that waits."""

    row: PlanRow
    news: News
    answer: str = ""

    def __repr__(self) -> str:
        return "<OwnPlan>"


def of_turn(view: MatchView) -> OwnPlan | None:
    """The reader's plan for the turn that has come; None if there is nothing to tell."""
    row = None if view.me is None else plans.of_reader(view.me)
    if row is None or not view.my_turn or row.ply + 1 != view.match.turn_ply:
        return None
    match row.state:
        case PlanState.STANDING:
            return _standing(view, row)
        case PlanState.DROPPED:
            is_legal = _contents(view).reason != Reason.NOT_LEGAL
            return OwnPlan(row, News.NO_LINE if is_legal else News.NOT_LEGAL)
        case PlanState.FAILED:
            return OwnPlan(row, News.FAILED)
        case PlanState.ENDED:
            return OwnPlan(row, News.ENDED)
    return None


def _standing(view: MatchView, row: PlanRow) -> OwnPlan | None:
    match, opponent = view.match, view.opponent
    if match.paused_at is not None:
        return OwnPlan(row, News.HELD_BY_PAUSE)
    if opponent and opponent.seat in (match.draw_offer, match.pause_offer):
        return OwnPlan(row, News.HELD_BY_OFFER)
    answer = _contents(view).answer if row.due_at is not None else ""
    return OwnPlan(row, News.WAITS, answer) if answer else None


def _contents(view: MatchView) -> plans.Contents:
    stored = view.me and plans.read(view.me.pk)
    return stored.contents if stored else plans.Contents()


def last_by_hand(view: MatchView) -> int | None:
    """The reader's last ply by hand before those that their plan has played; None for none such.

    One query, only in matches at which staff have looked.
    """
    played = plies_played(view)
    if not played:
        return None
    by_hand = min(played) - 2  # since every other ply is the opponent's, except looks
    if not view.match.looks:
        return by_hand
    before = match_view.entries(view.match, by_hand - view.match.looks, by_hand)
    return max((entry.number for entry in before if entry.seat is view.seat), default=by_hand)


def plies_played(view: MatchView) -> frozenset[int]:
    """The plies that the reader's plan has played since their last one by hand.

    Looks of staff that have followed one of them are among them.
    """
    row = None if view.me is None else plans.of_reader(view.me)
    # The reader's newest ply; on the opponent's turn a look may have taken its place.
    own = view.match.turn_ply - 1 if view.my_turn else view.match.ply
    return frozenset(row.played) if row and own in row.played else frozenset()


def answer_to(view: MatchView, ply: int) -> Entry | None:
    """The ply by which the reader's plan has answered ply `ply`; None if it did not."""
    later = [e for e in view.entries if e.number > ply and e.kind != PlyKind.LOOK]
    if not later or ply + 1 < view.entries[0].number:
        return None
    return later[0] if later[0].number in plies_played(view) else None
