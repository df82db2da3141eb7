"""Search board for games of single steps: make and unmake moves, with a Zobrist key.

A search visits thousands of positions, so sets of cells are bitboards and each battle is asked of
the rules once. Of pieces that may go farther in a turn, it knows the first step only.
"""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from games.bots.boards.battle_tables import BattleTables
from games.bots.boards.bitboards import cells_of
from games.bots.boards.distances import adjacent_cells
from games.rules.core.basics.board import Board
from games.rules.core.basics.pieces import Seat, piece

KEY_BITS = 62


# The contents of both cells, the bits of South and North, and the key before a move.
Undo = tuple[int, int, int, int, int]


@lru_cache(maxsize=4)
def zobrist_numbers(board: Board) -> tuple[tuple[int, ...], ...]:
    """By cell and content, the random number that a position's key is xored with."""
    rng = Random(0)  # noqa: S311 - the numbers only have to differ.
    return tuple(tuple(rng.getrandbits(KEY_BITS) for _ in range(256)) for _ in range(board.size))


class SingleStepBoard:
    """A position of which everything is known, changed in place.

    `pieces` are the cells of South's and North's pieces as bits, and `key` is its Zobrist key.
    """

    def __init__(self, battles: BattleTables) -> None:
        self.battle = battles.battle
        board = self.board = battles.rules.board
        self.stride = board.stride
        self.mask = sum(1 << cell for cell in board.cells)
        self.adjacent = [
            tuple(other for other in adjacent_cells(board, cell) if other in board.cells)
            if cell in board.cells
            else ()
            for cell in range(board.size)
        ]
        self.mobile = {
            piece(seat, battles.rules.kinds[rank], marked=marked)
            for seat in Seat
            for rank in battles.mobile
            for marked in (False, True)
        }
        self.numbers = zobrist_numbers(board)
        self.cells = list(board.blank)
        self.pieces = [0, 0]
        self.key = 0

    def load(self, cells: bytes) -> None:
        """Set up a position by the contents of its cells."""
        self.cells = list(cells)
        self.pieces = [0, 0]
        self.key = 0
        for cell in self.board.cells:
            if content := cells[cell]:
                self.pieces[content >> 7] |= 1 << cell
                self.key ^= self.numbers[cell][content]

    def cells_of(self, side: int) -> Iterator[int]:
        """The cells of a side's pieces."""
        return cells_of(self.pieces[side])

    def expand(self, bits: int) -> int:
        """A set of cells together with their neighbours."""
        stride = self.stride
        return (bits | bits << 1 | bits >> 1 | bits << stride | bits >> stride) & self.mask

    def make(self, source: int, target: int) -> Undo:
        """Make a move that does not end the match."""
        cells, pieces, numbers = self.cells, self.pieces, self.numbers
        mover, defender = cells[source], cells[target]
        south, north = pieces
        undo = (mover, defender, south, north, self.key)
        side = mover >> 7
        source_bit, target_bit = 1 << source, 1 << target
        if not defender:
            cells[source], cells[target] = 0, mover
            pieces[side] ^= source_bit | target_bit
            self.key ^= numbers[source][mover] ^ numbers[target][mover]
            return undo
        pieces[side] ^= source_bit
        pieces[1 - side] ^= target_bit
        self.key ^= numbers[source][mover] ^ numbers[target][defender]
        at_source, at_target, _, _ = self.battle(mover, defender)
        cells[source], cells[target] = at_source, at_target
        if at_source:
            pieces[at_source >> 7] |= source_bit
            self.key ^= numbers[source][at_source]
        if at_target:
            pieces[at_target >> 7] |= target_bit
            self.key ^= numbers[target][at_target]
        return undo

    def unmake(self, source: int, target: int, undo: Undo) -> None:
        """Take a move back."""
        pieces = self.pieces
        self.cells[source], self.cells[target], pieces[0], pieces[1], self.key = undo
