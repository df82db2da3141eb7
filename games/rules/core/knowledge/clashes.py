"""Clashes: what a battle leaves and who can go a way, asked of the rules on made-up boards.

So whoever follows pieces needs no table of battles of any game. The boards are made of the two
pieces that were told; nothing here ever meets a true position.
"""

from functools import cached_property, lru_cache
from typing import NamedTuple

from games.rules.core.basics.moves import Attack, Walk
from games.rules.core.basics.pieces import MARKED, Rank, Seat, owner, piece
from games.rules.core.imagined_positions import Imagined
from games.rules.core.ruleset.base import Ruleset


class Clash(NamedTuple):
    """What a battle leaves: on the square of the attacker, and on the defender's."""

    behind: int
    ahead: int


class Clashes:
    """The battles and ways of one ruleset, each asked once."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._clashes: dict[tuple[int, int], Clash] = {}
        self._ways: dict[tuple[Seat, Rank, int, int], bool] = {}

    def clash(self, attacker: int, defender: int) -> Clash:
        """What is left when one piece attacks another, each as the content of a cell."""
        found = self._clashes.get((attacker, defender))
        if found is None:
            source, target = self.middle
            cells = bytearray(self.rules.board.blank)
            cells[source], cells[target] = attacker, defender
            seat = owner(attacker)
            after, _ = self.rules.apply(
                self.board_of(bytes(cells), seat), seat, Attack(source, target)
            )
            found = Clash(after.cells[source], after.cells[target])
            self._clashes[attacker, defender] = found
        return found

    def can_go(self, seat: Seat, rank: Rank, source: int, target: int) -> bool:
        """Whether a piece of a rank could go from one cell to another over empty squares."""
        key = seat, rank, source, target
        found = self._ways.get(key)
        if found is None:
            cells = bytearray(self.rules.board.blank)
            cells[source] = piece(seat, self.rules.kinds[rank])
            there = self.board_of(bytes(cells), seat)
            found = Walk(source, target) in self.rules.legal_moves(there, seat)
            self._ways[key] = found
        return found

    @cached_property
    def immobile(self) -> tuple[Rank, ...]:
        """The lines of the army list that cannot take a step in any direction."""
        source = self.middle[0]
        steps = (1, -1, self.rules.board.stride, -self.rules.board.stride)
        return tuple(
            troop.rank
            for troop in self.rules.army
            if not any(self.can_go(Seat.SOUTH, troop.rank, source, source + step) for step in steps)
        )

    def board_of(self, cells: bytes, turn: Seat) -> Imagined:
        """A made-up position with these cells."""
        return self.rules.start(None)._replace(cells=cells, turn=turn, awaited=())

    @cached_property
    def middle(self) -> tuple[int, int]:
        """Two neighbouring cells near the middle of the board."""
        board = self.rules.board
        pairs = [(cell, cell + 1) for cell in board.cells if cell + 1 in board.cells]
        return min(pairs, key=lambda pair: abs(pair[0] - board.size // 2))


def attacker_stays(rules: Ruleset, attacker: int, content: int, *, behind: bool) -> bool:
    """Whether what a battle left on a square is the attacker; `behind` is where it came from."""
    if behind:
        return True
    if owner(content) is not owner(attacker):
        return False
    return not (content & MARKED and rules.mark == "demoted") or content == attacker


@lru_cache(maxsize=64)
def clashes(rules: Ruleset) -> Clashes:
    """The clashes of a ruleset, asked once a process."""
    return Clashes(rules)
