"""Where a piece can go along rows and files over empty squares, looked up and not walked.

For each cell and each of the two lines through it there is a table from the taken squares of the
line to whatever a game makes of the free ones; it is filled as it is used. A line has few squares,
so the tables stay small.
"""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from games.rules.core.board import EMPTY, Board
from games.rules.core.ways import DOWN, LEFT, OPEN, RIGHT, UP

E = TypeVar("E")

TAKEN = 1
FREE_OR_TAKEN = bytes([EMPTY]) + bytes([TAKEN]) * 255

# The free cells in a direction, nearest first; a lane has two such runs.
Run = tuple[int, tuple[int, ...]]
Make = Callable[[int, tuple[Run, Run]], E]


class Lane(dict[bytes, E], Generic[E]):
    """What a piece on a cell can do along one line, by which squares of the line are taken."""

    def __init__(
        self, cell: int, line: Sequence[int], directions: tuple[int, int], make: Make[E]
    ) -> None:
        super().__init__()
        self.cell = cell
        self.line = line
        self.place = line.index(cell)
        self.directions = directions
        self.make = make
        self.made: dict[tuple[int, int], E] = {}

    def __missing__(self, taken: bytes) -> E:
        # Many patterns differ only behind the first taken squares, so what is made is shared.
        first = taken.rfind(TAKEN, 0, self.place) + 1
        last = taken.find(TAKEN, self.place + 1)
        if last < 0:
            last = len(taken)
        if (first, last) not in self.made:
            onward = tuple(self.line[self.place + 1 : last])
            back = tuple(self.line[first : self.place][::-1])
            runs = (self.directions[0], onward), (self.directions[1], back)
            self.made[first, last] = self.make(self.cell, runs)
        self[taken] = self.made[first, last]
        return self[taken]


class Lanes(Generic[E]):
    """The lanes of a board; `make` gets a cell and its two runs along a lane.

    `open[ways][cell]` holds the lanes that are not closed right beside the cell, each with the
    number of its line among `lines`. The ways are the low half of what `Ways.around` tells.
    """

    def __init__(self, board: Board, make: Make[E]) -> None:
        rows = [board.row(row) for row in range(1, board.ranks + 1)]
        files = [range(file, board.size, board.stride)[: board.ranks] for file in rows[0]]
        self.slices = [slice(line.start, line.stop, line.step) for line in rows + files]
        lanes: list[list[tuple[int, int, Lane[E]]]] = [[] for _ in range(board.size)]
        for number, line in enumerate(rows + files):
            directions = (RIGHT, LEFT) if number < len(rows) else (UP, DOWN)
            either = OPEN << directions[0] | OPEN << directions[1]
            for cell in line:
                lanes[cell].append((either, number, Lane(cell, line, directions, make)))
        self.open = tuple(
            tuple(
                tuple((number, lane) for either, number, lane in here if ways & either)
                for here in lanes
            )
            for ways in range(16)
        )

    def lines(self, cells: bytes) -> list[bytes]:
        """The taken squares of every line, rows first."""
        taken = cells.translate(FREE_OR_TAKEN)
        return [taken[line] for line in self.slices]
