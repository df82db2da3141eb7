"""Units: the pieces of both armies as one seat has followed them since they were set up."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from games.bots.boards.battle_tables import Battles, battles
from games.bots.boards.distances import beside, distances
from games.protocol.lines import Heard
from games.rules.core.basics.pieces import Rank, Seat, piece
from games.rules.core.knowledge.piece_tracker import Tracker
from games.rules.core.observation import Observation, SeenPiece
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.tracked_pieces import TrackedPiece
from games.rules.core.text.notation import Annotated, read_annotated

IN_SIGHT = 8  # steps between pieces of which one goes nearer to the other


class Approach(NamedTuple):
    """A step of an unidentified piece nearer to a known enemy, or farther from it."""

    content: int  # of that enemy
    before: int  # steps between them
    after: int


@dataclass(eq=False, slots=True)
class Unit:
    """One piece: where it began and stands, what it may be, and what both sides know of it.

    `ranks` are lines of the army list; one is left when the piece is identified. `content` is what
    it stands as, where this seat knows it; `told` says whether the other seat knows it too.
    `approaches` are its steps, while it was not identified, to or from known enemies in sight,
    and `spared` the known enemies that it stood beside then, each time that it did not attack.
    """

    seat: Seat  # its side now; a game may let pieces change sides
    raised_by: Seat  # whose army list it belongs to
    start: int
    cell: int
    ranks: tuple[Rank, ...]
    content: int | None
    marked: bool
    told: bool
    moved: bool
    approaches: tuple[Approach, ...]
    spared: tuple[int, ...] = ()


class Units:
    """What one seat has worked out from all that it was told."""

    def __init__(self, rules: Ruleset, seat: Seat) -> None:
        self.rules = rules
        self.seat = seat
        self.battles: Battles = battles(rules)
        self.army = tuple(troop.rank for troop in rules.army)
        self.tracker: Tracker | None = None
        self.trail: list[tuple[Seat, int, int]] = []  # source and target of each action
        # By the identity of what the tracker keeps.
        self._approaches: dict[int, tuple[Approach, ...]] = {}
        self._spared: dict[int, tuple[int, ...]] = {}
        self._at: Mapping[int, Unit] | None = None  # made when it is asked for

    def hear(self, heard: tuple[Heard, ...], observation: Observation) -> None:
        """Take in what happened since the last line, then what the board shows now.

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
        for seat, told in actions:
            if seat is not self.seat and self.battles.deciders:
                self._note_spared(tracker, told)
            tracker.add_action(seat, told)
            self._note(tracker, seat, told)
        tracker.reconcile(observation)
        self._at = None

    @property
    def at(self) -> Mapping[int, Unit]:
        """The standing pieces by cell."""
        if self._at is None:
            standing = self.tracker.at if self.tracker else {}
            self._at = {cell: self._unit(one) for cell, one in standing.items()}
        return self._at

    def _note(self, tracker: Tracker, seat: Seat, told: Annotated) -> None:
        """Note the squares of an action, and which known enemies its piece went nearer to."""
        if not told.source or not told.target:
            return
        index = self.rules.board.index
        source, target = index[told.source], index[told.target]
        self.trail.append((seat, source, target))
        one = tracker.at.get(target)
        if told.attack or one is None or one.rank is not None:
            return
        far = distances(self.rules.board)
        for other in tracker.at.values():
            if other.seat is one.seat or not other.open:
                continue
            before, after = far[other.cell][source], far[other.cell][target]
            content = self._content(other)
            if content is not None and before != after and min(before, after) <= IN_SIGHT:
                noted: tuple[Approach, ...] = self._approaches.get(id(one), ())
                self._approaches[id(one)] = (*noted, Approach(content, before, after))

    def _note_spared(self, tracker: Tracker, told: Annotated) -> None:
        """Note which known pieces the other side's unidentified ones do not attack by an action."""
        board = self.rules.board
        attacker = board.index[told.source] if told.source and told.battle else None
        for cell, known in tracker.at.items():
            content = self._content(known)
            if known.seat is not self.seat or not known.open or content is None:
                continue
            for other in beside(board, cell):
                one = tracker.at.get(other)
                if one and one.seat is not self.seat and one.rank is None and other != attacker:
                    self._spared[id(one)] = (*self._spared.get(id(one), ()), content)

    def _content(self, one: TrackedPiece) -> int | None:
        if one.rank is None:
            return None
        return piece(one.seat, self.rules.kinds[one.rank], marked=one.marked)

    def _unit(self, one: TrackedPiece) -> Unit:
        return Unit(
            seat=one.seat,
            raised_by=one.raised_by,
            start=one.start,
            cell=one.cell,
            ranks=one.lines,
            content=self._content(one),
            marked=one.marked,
            told=one.open,
            moved=one.moved,
            approaches=self._approaches.get(id(one), ()),
            spared=self._spared.get(id(one), ()),
        )

    def enemies(self) -> list[Unit]:
        """The standing pieces of the other side, by cell."""
        return [self.at[cell] for cell in sorted(self.at) if self.at[cell].seat is not self.seat]

    def own(self) -> list[Unit]:
        """The standing pieces of this side, by cell."""
        return [self.at[cell] for cell in sorted(self.at) if self.at[cell].seat is self.seat]

    def pool(self) -> Counter[Rank]:
        """What the other side's unidentified pieces may be, with how many of each are left."""
        left = Counter({troop.rank: troop.number for troop in self.rules.army})
        for one in self.tracker.pieces if self.tracker else ():
            if one.raised_by is not self.seat and one.rank is not None:
                left[one.lines[0]] -= 1
        return +left


def _before(
    rules: Ruleset, actions: list[tuple[Seat, Annotated]], observation: Observation
) -> Observation:
    """The board as it stood before the first actions, as far as the one after them tells.

    Whoever moves second is told of the board when the other has moved already.
    """
    stood: dict[str, SeenPiece] = {}
    reached: set[str | None] = set()

    def stand(square: str, seat: Seat, rank: Rank | None = None) -> None:
        if square not in reached:
            stood[square] = SeenPiece(seat, rank, frozenset())

    for seat, told in actions:
        if told.source and told.target:
            stand(told.source, seat)
            reached.add(told.via or (told.source if told.attack else told.target))
            if told.battle:
                stand(told.target, seat.other)
                reached.add(told.target)
        for square, removed in told.volley:
            if removed:
                stand(square, next(side for side in Seat if square in rules.zone(side)))
    for square, seen in observation.pieces.items():
        rank = seen.rank if seen.seat is observation.viewpoint.seat else None
        if rank is not None and seen.marks and rules.mark == "demoted":
            rank = rules.enlisted_as(rank, marked=True)
        stand(square, seen.seat, rank)
    return replace(observation, pieces=stood)
