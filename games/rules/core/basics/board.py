"""Board: its squares and their names.

A board is stored as bytes, its cells: row by row from South's edge, each row followed by one guard
cell, so that a step over a side edge lands on VOID and needs no test. Square names (`a1` is South's
left corner, C2) are used only in input and output.
"""

from dataclasses import dataclass
from functools import cached_property

EMPTY = 0
VOID = 0x3F  # lakes, guard cells, and the corners outside a cross-shaped board

FILE_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Board:
    """A grid of `files` by `ranks` squares, without the `blocked` ones."""

    files: int
    ranks: int
    blocked: frozenset[str] = frozenset()

    @cached_property
    def stride(self) -> int:
        """The distance between a cell and the one above it."""
        return self.files + 1

    @cached_property
    def size(self) -> int:
        """The number of cells, guard cells included."""
        return self.stride * self.ranks

    @cached_property
    def squares(self) -> tuple[str, ...]:
        """All square names of the grid, lakes included: row by row from `a1` upward."""
        return tuple(
            f"{FILE_LETTERS[file]}{rank + 1}"
            for rank in range(self.ranks)
            for file in range(self.files)
        )

    @cached_property
    def index(self) -> dict[str, int]:
        """The cell of each square of the grid."""
        return {
            name: number // self.files * self.stride + number % self.files
            for number, name in enumerate(self.squares)
        }

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Row and file of each square of the grid, counted from 0."""
        return {name: divmod(number, self.files) for number, name in enumerate(self.squares)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each cell; "" for guard cells."""
        names = [""] * self.size
        for name, cell in self.index.items():
            names[cell] = name
        return tuple(names)

    @cached_property
    def blank(self) -> bytes:
        """The cells of a board without pieces."""
        return bytes(EMPTY if name and name not in self.blocked else VOID for name in self.names)

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The cells that a piece may enter."""
        return tuple(cell for cell, content in enumerate(self.blank) if content == EMPTY)

    def playable(self, square: str) -> bool:
        """Whether a piece may enter the square of that name."""
        return square in self.index and square not in self.blocked

    def row(self, rank: int) -> range:
        """The cells of a row, left to right; `rank` counts from 1 as on the board."""
        start = (rank - 1) * self.stride
        return range(start, start + self.files)

    def heading(self, source: int, target: int) -> int:
        """The step from one cell toward another in the same row or file; 0 for neither."""
        if source == target:
            return 0
        if source // self.stride == target // self.stride:
            return 1 if source < target else -1
        if (source - target) % self.stride == 0:
            return self.stride if source < target else -self.stride
        return 0

    def between(self, source: int, target: int) -> range:
        """The cells strictly between two cells of one row or file, in order from the source."""
        step = self.heading(source, target)
        return range(source + step, target, step) if step else range(0)
