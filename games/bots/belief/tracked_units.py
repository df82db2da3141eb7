"""Tracked units: the pieces of both armies, as one seat has followed them since their set-up."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from games.bots.boards.battle_tables import BattleTables, battle_tables
from games.bots.boards.distances import adjacent_cells, distances
from games.protocol.lines import PublicAction
from games.rules.core.basics.pieces import Rank, Seat, piece
from games.rules.core.knowledge.piece_tracker import Tracker
from games.rules.core.observation import Observation, SeenPiece
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.tracked_pieces import TrackedPiece
from games.rules.core.text.notation import Annotated, read_annotated

MAX_APPROACH_STEPS = 8  # between two pieces, for a move to count as an approach


class Approach(NamedTuple):
    """A move of an unidentified piece toward a known enemy piece, or away from it."""

    content: int  # of the known piece
    before: int  # steps between the two
    after: int


@dataclass(eq=False, slots=True)
class Unit:
    """One piece: its way, what it may be, and what both sides know of it.

    `ranks` are ranks of the army list, only one once the piece is identified. `content` is the
    content of its cell, None if this seat does not know it; `revealed` is whether the other seat
    knows it. `approaches` and `spared` are noted while it is unidentified: its moves toward or away
    from known enemies, and the known enemies next to it, once for each time it did not attack them.
    """

    seat: Seat  # its side now; in some games pieces change sides
    raised_by: Seat  # the side whose army list it belongs to
    start: int
    cell: int
    ranks: tuple[Rank, ...]
    content: int | None
    marked: bool
    revealed: bool
    moved: bool
    approaches: tuple[Approach, ...]
    spared: tuple[int, ...] = ()


class TrackedUnits:
    """What one seat has worked out from its observations and all public actions."""

    def __init__(self, rules: Ruleset, seat: Seat) -> None:
        self.rules = rules
        self.seat = seat
        self.battles: BattleTables = battle_tables(rules)
        self.army = tuple(troop.rank for troop in rules.army)
        self.tracker: Tracker | None = None
        self.history: list[tuple[Seat, int, int]] = []  # seat, source and target of each action
        # By the identity of the tracker's object for a piece.
        self._approaches: dict[int, tuple[Approach, ...]] = {}
        self._spared: dict[int, tuple[int, ...]] = {}
        self._at: Mapping[int, Unit] | None = None

    def update(self, heard: tuple[PublicAction, ...], observation: Observation) -> None:
        """Take in the actions since the last line, and the board after them.

        Raises LookupError if the actions do not lead to this board.
        """
        actions = [
            (action.seat, read_annotated(self.rules, action.text))
            for action in heard
            if action.seat is not None
        ]
        tracker = self.tracker
        if tracker is None:
            first = _before(self.rules, actions, observation)
            opening = "".join(action.text for action in heard if action.seat is None)
            tracker = self.tracker = Tracker.begin(self.rules, first, opening)
        for seat, action in actions:
            if seat is not self.seat and self.battles.mobile_flags:
                self._note_spared(tracker, action)
            tracker.add_action(seat, action)
            self._note_move(tracker, seat, action)
        tracker.reconcile(observation)
        self._at = None

    @property
    def at(self) -> Mapping[int, Unit]:
        """The units on the board, by cell."""
        if self._at is None:
            at = self.tracker.at if self.tracker else {}
            self._at = {cell: self._unit(traced) for cell, traced in at.items()}
        return self._at

    def _note_move(self, tracker: Tracker, seat: Seat, action: Annotated) -> None:
        """Note the squares of an action, and which known enemies its piece went nearer to."""
        if not action.source or not action.target:
            return
        index = self.rules.board.index
        source, target = index[action.source], index[action.target]
        self.history.append((seat, source, target))
        mover = tracker.at.get(target)
        if action.attack or mover is None or mover.rank is not None:
            return
        steps = distances(self.rules.board)
        for other in tracker.at.values():
            if other.seat is mover.seat or not other.open:
                continue
            before, after = steps[other.cell][source], steps[other.cell][target]
            content = self._content(other)
            if content is not None and before != after and min(before, after) <= MAX_APPROACH_STEPS:
                noted: tuple[Approach, ...] = self._approaches.get(id(mover), ())
                self._approaches[id(mover)] = (*noted, Approach(content, before, after))

    def _note_spared(self, tracker: Tracker, action: Annotated) -> None:
        """Note which known pieces of this side an enemy action leaves unattacked, and by whom."""
        board = self.rules.board
        attacker = board.index[action.source] if action.source and action.battle else None
        for cell, known in tracker.at.items():
            content = self._content(known)
            if known.seat is not self.seat or not known.open or content is None:
                continue
            for other in adjacent_cells(board, cell):
                enemy = tracker.at.get(other)
                if (
                    enemy
                    and enemy.seat is not self.seat
                    and enemy.rank is None
                    and other != attacker
                ):
                    self._spared[id(enemy)] = (*self._spared.get(id(enemy), ()), content)

    def _content(self, traced: TrackedPiece) -> int | None:
        if traced.rank is None:
            return None
        return piece(traced.seat, self.rules.kinds[traced.rank], marked=traced.marked)

    def _unit(self, traced: TrackedPiece) -> Unit:
        return Unit(
            seat=traced.seat,
            raised_by=traced.raised_by,
            start=traced.start,
            cell=traced.cell,
            ranks=traced.lines,
            content=self._content(traced),
            marked=traced.marked,
            revealed=traced.open,
            moved=traced.moved,
            approaches=self._approaches.get(id(traced), ()),
            spared=self._spared.get(id(traced), ()),
        )

    def enemies(self) -> list[Unit]:
        """The enemy units on the board, by cell."""
        return [self.at[cell] for cell in sorted(self.at) if self.at[cell].seat is not self.seat]

    def own(self) -> list[Unit]:
        """The own units on the board, by cell."""
        return [self.at[cell] for cell in sorted(self.at) if self.at[cell].seat is self.seat]

    def unidentified_ranks(self) -> Counter[Rank]:
        """How many pieces of each rank of the enemy's army list are not identified."""
        left = Counter({troop.rank: troop.number for troop in self.rules.army})
        for traced in self.tracker.pieces if self.tracker else ():
            if traced.raised_by is not self.seat and traced.rank is not None:
                left[traced.lines[0]] -= 1
        return +left


def _before(
    rules: Ruleset, actions: list[tuple[Seat, Annotated]], observation: Observation
) -> Observation:
    """The board before the first actions, as far as the one after them shows it.

    The side that moves second gets its first line when the other has moved already.
    """
    pieces: dict[str, SeenPiece] = {}
    reached: set[str | None] = set()

    def place(square: str, seat: Seat, rank: Rank | None = None) -> None:
        if square not in reached:
            pieces[square] = SeenPiece(seat, rank, frozenset())

    for seat, action in actions:
        if action.source and action.target:
            place(action.source, seat)
            reached.add(action.via or (action.source if action.attack else action.target))
            if action.battle:
                place(action.target, seat.other)
                reached.add(action.target)
        for square, removed in action.volley:
            if removed:
                place(square, next(side for side in Seat if square in rules.zone(side)))
    for square, seen in observation.pieces.items():
        rank = seen.rank if seen.seat is observation.viewpoint.seat else None
        if rank is not None and seen.marks and rules.mark == "demoted":
            rank = rules.enlisted_as(rank, marked=True)
        place(square, seen.seat, rank)
    return replace(observation, pieces=pieces)
