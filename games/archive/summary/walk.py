"""A walk through an open match: pieces left, ranks seen and battles, move by move.

Both sides are followed by what they could see: their first board and the public texts of the moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.play.models.kind import PlyKind
from games.play.record import match_view
from games.play.record.snapshot import Entry
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.knowledge.piece_tracker import Tracker
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import Annotated, read_annotated


class Step(NamedTuple):
    """The board after a turn: how many pieces each side has, and how many enemy ranks it has seen.

    `ply` is counted from the first move, as in URLs; `entry` and `done` are None before it.
    """

    turn: int
    ply: int
    left: BySeat[int]
    known: BySeat[int]
    entry: Entry | None = None
    done: Annotated | None = None

    @property
    def fought(self) -> bool:
        """Whether it struck at a piece, or archers hit one."""
        return self.done is not None and bool(self.done.attack or self.done.volley)


class Walk(NamedTuple):
    """All steps of a match, the board before the first move included."""

    rules: Ruleset
    names: Mapping[Seat, str]
    steps: tuple[Step, ...]
    trackers: BySeat[Tracker]

    @property
    def battles(self) -> list[Step]:
        """The steps that struck at a piece."""
        return [step for step in self.steps if step.done is not None and step.done.attack]


def walk(match_id: int) -> Walk:
    """The walk through a match; seven queries.

    Raises Match.DoesNotExist, NoSuchPly, and ViewpointNotAllowed until the match is open.
    """
    south, north = (_first(match_id, seat) for seat in Seat)
    match, trackers = south[0].match, BySeat(south[1], north[1])
    opening = match.opening or 0
    steps = [_step(trackers, 0, 0)]
    for entry in match_view.entries(match, opening + 1, match.ply):
        if entry.kind == PlyKind.MOVE and entry.seat is not None:
            done = read_annotated(match.rules, entry.text)
            for tracker in trackers:
                tracker.add_action(entry.seat, done)
            step = _step(trackers, len(steps), entry.number - opening)
            steps.append(step._replace(entry=entry, done=done))
    return Walk(match.rules, south[0].sides, tuple(steps), trackers)


def _first(match_id: int, seat: Seat) -> tuple[match_view.MatchView, Tracker]:
    view = match_view.view_match(match_id, None, shown=0, viewpoint=Viewpoint.of_seat(seat))
    first, text = match_view.opening_board(view)
    return view, Tracker.begin(view.rules, first, text)


def _step(trackers: BySeat[Tracker], turn: int, ply: int) -> Step:
    pieces = list(trackers[Seat.SOUTH].at.values())
    left = BySeat(*(sum(one.seat is seat for one in pieces) for seat in Seat))
    known = BySeat(
        *(
            sum(one.seat is not seat and one.rank is not None for one in trackers[seat].at.values())
            for seat in Seat
        )
    )
    return Step(turn, ply, left, known)
