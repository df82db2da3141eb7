"""Hunts: how far the piece that decides a match is shut in by enemies that it cannot take."""

from collections.abc import Set
from typing import NamedTuple

from games.bots.boards.single_step_board import StepBoard
from games.rules.core.basics.pieces import KIND, Seat

SHUT_IN = 0.5  # what each square counts that the enemy's piece cannot get to, if it is alone
HUNTED = 8  # pieces of a side, from which on it is not hunted


class Hunt(NamedTuple):
    """A piece that decides the match, who shuts it in, and what each square of its room counts.

    The `takers` are those of the `hunters` that can take it.
    """

    hunted: int
    hunters: Set[int]
    takers: Set[int]
    weight: float


class Hunts:
    """The hunts of both sides on a board as it was loaded, those `of` any weight."""

    def __init__(
        self, board: StepBoard, seat: Seat, crowns: Set[int], *, dead: bool = False
    ) -> None:
        """`dead`: neither side can win any more, and the own seat hunts for a draw by a battle."""
        self.board = board
        self.seat = seat
        self.dead = dead
        self._values: dict[tuple[int, int], float] = {}
        self.of = [hunt for side in Seat if (hunt := self._hunt(side, crowns)) and hunt.weight]

    def _hunt(self, side: Seat, crowns: Set[int]) -> Hunt | None:
        """The hunt by a side; None if nobody of it can take what is hunted."""
        board = self.board
        hunted = self._deciding(side.other, crowns)
        if len(hunted) != 1 or hunted[0] not in board.mobile:
            return None
        takers, hunters = set(), set()
        if self.dead and side is self.seat:
            takers.update(self._deciding(side, crowns))
            hunters.update(takers)
        for cell in board.standing(side):
            content = board.cells[cell]
            takes = board.fight(content, hunted[0]).winner > 0
            if content & KIND not in crowns and (
                takes or board.fight(hunted[0], content).winner < 0
            ):
                if takes:
                    takers.add(content)
                hunters.add(content)
        if not takers:
            return None
        weight = SHUT_IN * max(0.0, 1 - board.count(side.other) / HUNTED)
        return Hunt(hunted[0], hunters, takers, weight if side is self.seat else -weight)

    def _deciding(self, side: Seat, crowns: Set[int]) -> list[int]:
        """The pieces of a side that decide the match."""
        cells = self.board.cells
        return [cells[cell] for cell in self.board.standing(side) if cells[cell] & KIND in crowns]

    def value(self, mover: int) -> float:
        """What the hunts are worth to the own seat with a side to move."""
        key = (self.board.key, mover)
        found = self._values.get(key)
        if found is None:
            found = sum([hunt.weight * self._taken(hunt, mover) for hunt in self.of])
            self._values[key] = found
        return found

    def _taken(self, hunt: Hunt, mover: int) -> int:
        """The squares that the hunted does not reach before a hunter does."""
        board = self.board
        cells, mask, stride = board.cells, board.mask, board.stride
        side = hunt.hunted >> 7
        edge = hunters = takers = 0
        others = board.bits[1 - side]
        for cell in board.standing(side):
            if cells[cell] == hunt.hunted:
                edge = 1 << cell
        for cell in board.standing(1 - side):
            if cells[cell] in hunt.hunters:
                hunters |= 1 << cell
                if cells[cell] in hunt.takers:
                    takers |= 1 << cell
        if not edge or not hunters:
            return 0
        # What the hunted may still come to: on a tile that a hunter stands beside it is taken.
        left = mask & ~board.bits[side] & ~(others & ~hunters & board.spread(takers))
        count = left.bit_count()
        if mover != side:
            hunters = board.spread(hunters)
        # Without `spread`, which would be half of the time that it takes.
        while edge:
            edge |= edge << 1 | edge >> 1 | edge << stride | edge >> stride
            edge &= left & ~hunters
            left ^= edge
            hunters |= hunters << 1 | hunters >> 1 | hunters << stride | hunters >> stride
            hunters &= mask
        return mask.bit_count() - count + left.bit_count()
