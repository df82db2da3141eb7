"""Where Tactique's pieces go and whom they strike from there (T4 to T7), as tables."""

from itertools import compress

from games.rules.core.board import Board
from games.rules.core.lanes import Lanes, Run
from games.rules.core.moves import Attack, Charge, Move, Walk, shared
from games.rules.core.ways import ALL_OPEN, ALL_PREY, DIRECTIONS, PREY, ways

# The walks along a lane, and for each cell where they end the start of its key among the strikes.
Reach = tuple[tuple[Walk, ...], tuple[tuple[int, int], ...]]


class Strikes(dict[int, tuple[Move, ...]]):
    """The attacks and charges on the enemies around a cell; filled as it is used.

    The key is source << 16 | via << 8 | the enemies around `via`, as `Ways.around` tells them. From
    its own square a piece attacks, from any other it has charged.
    """

    def __init__(self, board: Board, *, straight_on: bool) -> None:
        super().__init__()
        self.board = board
        self.offsets = ways(board).offsets
        self.straight_on = straight_on

    def __missing__(self, key: int) -> tuple[Move, ...]:
        source, via = key >> 16, key >> 8 & 0xFF
        strikes: list[Move] = []
        for direction in DIRECTIONS:
            if not key & PREY << direction:
                continue
            step = self.offsets[direction]
            if source == via:
                strikes.append(shared(Attack(source, via + step)))
            elif not self.straight_on or step == self.board.heading(source, via):
                strikes.append(shared(Charge(source, via, via + step)))
        self[key] = tuple(strikes)
        return self[key]


class Campaign:
    """All actions of a side on one board, under one reading of T5 and T6."""

    def __init__(self, board: Board, *, step_by_step: bool, straight_on: bool) -> None:
        self.ways = ways(board)
        self.step_by_step = step_by_step
        self.strikes = Strikes(board, straight_on=straight_on)
        self.lanes = Lanes(board, self._reach)

    def _reach(self, cell: int, runs: tuple[Run, Run]) -> Reach:
        ends = [via for _, free in runs for via in (free[:1] if self.step_by_step else free)]
        walks = tuple(shared(Walk(cell, via)) for via in ends)
        return walks, tuple((via, cell << 16 | via << 8) for via in ends)

    def actions(self, cells: bytes, movers: bytes, prey: bytes) -> list[Move]:
        """Walks, attacks and charges; `movers` and `prey` as for `Ways.around`.

        A mover whose ways are all open but show no enemies is an archer: it walks only (T7).
        """
        strikes, lanes = self.strikes, self.lanes.open
        around, enemies = self.ways.contact(cells, movers, prey)
        lines = self.lanes.lines(cells)
        moves: list[Move] = []
        for cell in compress(self.ways.every, around):
            here = around[cell]
            if here > ALL_OPEN:
                moves += strikes[cell << 16 | cell << 8 | here & ALL_PREY]
            archer = movers[cells[cell]] == ALL_OPEN
            for line, lane in lanes[here & ALL_OPEN][cell]:
                walks, ends = lane[lines[line]]
                moves += walks
                if archer:
                    continue
                for via, key in ends:
                    if beside := enemies[via]:
                        moves += strikes[key | beside]
        return moves
