"""The board of one world on which moves are made and taken back, where pieces go step by step.

It is searched in thousands of positions: a set of cells is an integer with a bit for each, and
who is left of a battle is asked of the rules once. Of those that may go farther in a turn the first
step alone is known here.
"""

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

from games.bots.boards.battle_tables import Battles
from games.bots.boards.bitboards import cells_of
from games.bots.boards.distances import beside
from games.rules.core.basics.board import Board
from games.rules.core.basics.pieces import Seat, piece

KEY_BITS = 62


class Fight(NamedTuple):
    """What a battle leaves on both cells, and whether it ends the match.

    `winner` is who has won that: 1 the attacker, -1 the defender, 0 nobody.
    """

    behind: int
    ahead: int
    over: bool
    winner: int


# What stood on both cells of a move, the cells of South and North, and the key before it.
Undo = tuple[int, int, int, int, int]


@lru_cache(maxsize=4)
def keys(board: Board) -> tuple[tuple[int, ...], ...]:
    """A number for every content of a cell on every cell: a position's key is all of them xored."""
    rng = Random(0)  # noqa: S311 - numbers that differ are wanted, no secret is made.
    return tuple(tuple(rng.getrandbits(KEY_BITS) for _ in range(256)) for _ in range(board.size))


class StepBoard:
    """A position that changes with every move; `bits` are the cells of South's and North's."""

    def __init__(self, battles: Battles) -> None:
        self.battles = battles
        board = self.board = battles.rules.board
        self.stride = board.stride
        self.mask = sum(1 << cell for cell in board.cells)
        self.neighbours = [
            tuple(other for other in beside(board, cell) if other in board.cells)
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
        self.keys = keys(board)
        self.cells = list(board.blank)
        self.bits = [0, 0]
        self.key = 0
        self.fights: dict[int, Fight] = {}

    def load(self, cells: bytes) -> None:
        """Begin with the cells of a position."""
        self.cells = list(cells)
        self.bits = [0, 0]
        self.key = 0
        for cell in self.board.cells:
            if content := cells[cell]:
                self.bits[content >> 7] |= 1 << cell
                self.key ^= self.keys[cell][content]

    def standing(self, side: int) -> Iterator[int]:
        """The cells of a side's pieces."""
        return cells_of(self.bits[side])

    def count(self, side: int) -> int:
        """How many pieces a side has."""
        return self.bits[side].bit_count()

    def spread(self, bits: int) -> int:
        """A set of cells with all that stand beside one of them."""
        stride = self.stride
        return (bits | bits << 1 | bits >> 1 | bits << stride | bits >> stride) & self.mask

    def fight(self, attacker: int, defender: int) -> Fight:
        """What is left when one piece attacks another."""
        key = attacker << 8 | defender
        found = self.fights.get(key)
        if found is None:
            clash = self.battles.clash(attacker, defender)
            over = bool(clash.decisive) or clash.drawn
            found = self.fights[key] = Fight(clash.behind, clash.ahead, over, clash.decisive)
        return found

    def play(self, source: int, target: int) -> Undo:
        """Make a move that does not end the match."""
        cells, bits, keys = self.cells, self.bits, self.keys
        mover, struck = cells[source], cells[target]
        south, north = bits
        undo = (mover, struck, south, north, self.key)
        side = mover >> 7
        start, stop = 1 << source, 1 << target
        if not struck:
            cells[source], cells[target] = 0, mover
            bits[side] ^= start | stop
            self.key ^= keys[source][mover] ^ keys[target][mover]
            return undo
        bits[side] ^= start
        bits[1 - side] ^= stop
        self.key ^= keys[source][mover] ^ keys[target][struck]
        behind, ahead, _, _ = self.fight(mover, struck)
        cells[source], cells[target] = behind, ahead
        if behind:
            bits[behind >> 7] |= start
            self.key ^= keys[source][behind]
        if ahead:
            bits[ahead >> 7] |= stop
            self.key ^= keys[target][ahead]
        return undo

    def undo(self, source: int, target: int, undo: Undo) -> None:
        """Take a move back."""
        bits = self.bits
        self.cells[source], self.cells[target], bits[0], bits[1], self.key = undo
