"""Flag confinement: how many squares a mobile flag can't reach before its pursuers do."""

from collections.abc import Set
from typing import NamedTuple

from games.bots.boards.single_step_board import SingleStepBoard
from games.rules.core.basics.pieces import KIND, Seat

SQUARE_VALUE = 0.5  # of each square that the enemy's flag can't reach, if it is alone
UNPURSUED_PIECES = 8  # of an army, from which on its flag is not pursued


class Pursuit(NamedTuple):
    """A flag, the contents of its pursuers, and the value of each square that it can't reach.

    Pursuers win a battle with the flag, in attack or in defence; `capturers` are those
    that win by attacking it.
    """

    flag: int
    pursuers: Set[int]
    capturers: Set[int]
    weight: float


class FlagConfinement:
    """The pursuits of both sides, as a part of the evaluation function of one seat."""

    def __init__(
        self, board: SingleStepBoard, seat: Seat, flag_kinds: Set[int], *, is_dead: bool = False
    ) -> None:
        """Find the pursuits on a loaded board.

        `is_dead`: neither side can win any more, so the seat's own flag pursues the other to draw.
        """
        self.board = board
        self.seat = seat
        self.is_dead = is_dead
        self._values: dict[tuple[int, int], float] = {}
        pursuits = (self._pursuit(side, flag_kinds) for side in Seat)
        self.pursuits = [pursuit for pursuit in pursuits if pursuit and pursuit.weight]

    def _pursuit(self, side: Seat, flag_kinds: Set[int]) -> Pursuit | None:
        """The pursuit by a side; None if no piece of it can capture the flag."""
        board = self.board
        flags = self._flags(side.other, flag_kinds)
        if len(flags) != 1 or flags[0] not in board.mobile:
            return None
        capturers, pursuers = set(), set()
        if self.is_dead and side is self.seat:
            capturers.update(self._flags(side, flag_kinds))
            pursuers.update(capturers)
        for cell in board.cells_of(side):
            content = board.cells[cell]
            captures = board.battle(content, flags[0]).winner > 0
            if content & KIND not in flag_kinds and (
                captures or board.battle(flags[0], content).winner < 0
            ):
                if captures:
                    capturers.add(content)
                pursuers.add(content)
        if not capturers:
            return None
        weight = SQUARE_VALUE * max(
            0.0, 1 - board.pieces[side.other].bit_count() / UNPURSUED_PIECES
        )
        return Pursuit(flags[0], pursuers, capturers, weight if side is self.seat else -weight)

    def _flags(self, side: Seat, flag_kinds: Set[int]) -> list[int]:
        cells = self.board.cells
        return [
            cells[cell] for cell in self.board.cells_of(side) if cells[cell] & KIND in flag_kinds
        ]

    def value(self, mover: int) -> float:
        """The value of all pursuits to the seat, with a side to move."""
        key = (self.board.key, mover)
        value = self._values.get(key)
        if value is None:
            value = sum(
                [pursuit.weight * self._unreachable(pursuit, mover) for pursuit in self.pursuits]
            )
            self._values[key] = value
        return value

    def _unreachable(self, pursuit: Pursuit, mover: int) -> int:
        """The number of squares that the flag does not reach before a pursuer does."""
        board = self.board
        cells, mask, stride = board.cells, board.mask, board.stride
        side = pursuit.flag >> 7
        reached = pursuers = capturers = 0
        enemies = board.pieces[1 - side]
        for cell in board.cells_of(side):
            if cells[cell] == pursuit.flag:
                reached = 1 << cell
        for cell in board.cells_of(1 - side):
            if cells[cell] in pursuit.pursuers:
                pursuers |= 1 << cell
                if cells[cell] in pursuit.capturers:
                    capturers |= 1 << cell
        if not reached or not pursuers:
            return 0
        # A flag that captures an enemy next to a capturer is captured there.
        free = mask & ~board.pieces[side] & ~(enemies & ~pursuers & board.expand(capturers))
        blocked = mask.bit_count() - free.bit_count()
        if mover != side:
            pursuers = board.expand(pursuers)
        # A flood fill of both. It does not call `expand`, which would double its time.
        while reached:
            reached |= reached << 1 | reached >> 1 | reached << stride | reached >> stride
            reached &= free & ~pursuers
            free ^= reached
            pursuers |= pursuers << 1 | pursuers >> 1 | pursuers << stride | pursuers >> stride
            pursuers &= mask
        return blocked + free.bit_count()
