"""Move generation: the single steps of all pieces of a side, for the whole board at once.

A board's cells are read as one large number with a byte for each cell. Shifting the number by one
cell or one row aligns every cell with its neighbour, so a few operations on large numbers find all
pieces that can step anywhere, and a table gives their moves. This is several times faster than
visiting the pieces one by one, and it is the only optimisation of random playouts.
"""

from functools import cache

from games.rules.core.basics.board import EMPTY, Board
from games.rules.core.basics.moves import Attack, Move, Walk, shared
from games.rules.core.basics.pieces import NORTHERN, Seat, is_piece

RIGHT, LEFT, UP, DOWN = DIRECTIONS = range(4)

# One byte describes what is around a cell: an open neighbour sets the direction's bit in the low
# half, an enemy sets it in the high half.
OPEN = 0x01
ENEMY = 0x10
ALL_OPEN = 0x0F
ALL_ENEMIES = 0xF0
ALL_DIRECTIONS = 0xFF
TAKEN = 0x01
FREE_OR_TAKEN = bytes([EMPTY]) + bytes([TAKEN]) * 255


def without(mask: int, direction: int) -> int:
    """A mask of directions without one of them."""
    return mask & ~((OPEN | ENEMY) << direction)


def backward(seat: Seat) -> int:
    """The direction toward a seat's own edge (C3)."""
    return DOWN if seat is Seat.SOUTH else UP


def open_or_enemy(seat: Seat) -> bytes:
    """For each content of a cell: OPEN if empty, ENEMY if an enemy of the seat, else 0."""
    table = bytearray(256)
    table[EMPTY] = OPEN
    for content in range(256):
        if is_piece(content) and bool(content & NORTHERN) != bool(seat):
            table[content] = ENEMY
    return bytes(table)


OPEN_OR_ENEMY = (open_or_enemy(Seat.SOUTH), open_or_enemy(Seat.NORTH))


class Steps(dict[int, tuple[Move, ...]]):
    """Table of the single steps from a cell, by what is around it; filled as it is used."""

    def __init__(self, cell: int, offsets: tuple[int, ...]) -> None:
        super().__init__()
        self.cell = cell
        self.offsets = offsets

    def __missing__(self, around: int) -> tuple[Move, ...]:
        steps: list[Move] = []
        for direction, offset in enumerate(self.offsets):
            if around & OPEN << direction:
                steps.append(shared(Walk(self.cell, self.cell + offset)))
            elif around & ENEMY << direction:
                steps.append(shared(Attack(self.cell, self.cell + offset)))
        self[around] = tuple(steps)
        return self[around]


class Mobility:
    """The step tables of one board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.offsets = (1, -1, board.stride, -board.stride)
        self.every = range(board.size)
        self.steps = tuple(Steps(cell, self.offsets) for cell in self.every)
        self.enemies = int.from_bytes(bytes([ALL_ENEMIES]) * board.size, "little")
        self.up = 8 * board.stride - UP
        self.down = 8 * board.stride + DOWN
        self.neighbours = tuple(
            tuple(self._step(cell, direction) for direction in DIRECTIONS) for cell in self.every
        )

    def _step(self, cell: int, direction: int) -> int | None:
        target = cell + self.offsets[direction]
        return target if cell in self.board.cells and target in self.board.cells else None

    def ray(self, cell: int, direction: int) -> tuple[int, ...]:
        """All cells in a straight line from a cell, nearest first, up to a lake or the edge."""
        cells = []
        target = self.neighbours[cell][direction]
        while target is not None:
            cells.append(target)
            target = self.neighbours[target][direction]
        return tuple(cells)

    def around(self, cells: bytes, movers: bytes, targets: bytes) -> bytes:
        """What is around each mover, one byte a cell; 0 for cells without a piece that can step.

        `movers` maps a content to the directions its piece may take, `targets` to OPEN, ENEMY or 0,
        see OPEN_OR_ENEMY.
        """
        own = int.from_bytes(cells.translate(movers), "little")
        near = int.from_bytes(cells.translate(targets), "little")
        stepping = own & (near >> 8 | near << 9 | near >> self.up | near << self.down)
        return stepping.to_bytes(len(cells), "little")

    def contact(self, cells: bytes, movers: bytes, targets: bytes) -> tuple[bytes, bytes]:
        """What is around each mover, and for each cell what a piece would meet there.

        The latter is TAKEN for an occupied cell, else the enemies next to the cell, if any.
        """
        own = int.from_bytes(cells.translate(movers), "little")
        near = int.from_bytes(cells.translate(targets), "little")
        taken = int.from_bytes(cells.translate(FREE_OR_TAKEN), "little")
        neighbours = near >> 8 | near << 9 | near >> self.up | near << self.down
        size = len(cells)
        around = (own & neighbours).to_bytes(size, "little")
        return around, (self.enemies & neighbours | taken).to_bytes(size, "little")


@cache
def mobility(board: Board) -> Mobility:
    """The step tables of a board, made once."""
    return Mobility(board)
