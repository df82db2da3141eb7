"""Probes of the rules: battles and walks played on made-up boards with one or two pieces.

So the tracker of pieces needs no battle table of any game. No true position ever comes in here.
"""

from functools import cached_property, lru_cache
from typing import NamedTuple

from games.rules.core.basics.moves import Attack, Walk
from games.rules.core.basics.pieces import MARKED, Rank, Seat, owner, piece
from games.rules.core.imagined_positions import Imagined
from games.rules.core.ruleset.base import Ruleset


class AfterBattle(NamedTuple):
    """The contents that a battle leaves on the attacker's square and on the defender's."""

    source: int
    target: int


class RuleProbes:
    """The battles and walks of one ruleset, each computed once."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self._battles: dict[tuple[int, int], AfterBattle] = {}
        self._walks: dict[tuple[Seat, Rank, int, int], bool] = {}

    def battle(self, attacker: int, defender: int) -> AfterBattle:
        """What is left when one piece attacks another, each given as the content of a cell."""
        left = self._battles.get((attacker, defender))
        if left is None:
            source, target = self.middle
            cells = bytearray(self.rules.board.blank)
            cells[source], cells[target] = attacker, defender
            seat = owner(attacker)
            after, _ = self.rules.apply(
                self.board_of(bytes(cells), seat), seat, Attack(source, target)
            )
            left = AfterBattle(after.cells[source], after.cells[target])
            self._battles[attacker, defender] = left
        return left

    def can_go(self, seat: Seat, rank: Rank, source: int, target: int) -> bool:
        """Whether a piece of a rank could go from one cell to another over empty squares."""
        key = seat, rank, source, target
        legal = self._walks.get(key)
        if legal is None:
            cells = bytearray(self.rules.board.blank)
            cells[source] = piece(seat, self.rules.kinds[rank])
            board = self.board_of(bytes(cells), seat)
            legal = Walk(source, target) in self.rules.legal_moves(board, seat)
            self._walks[key] = legal
        return legal

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


def is_attacker(rules: Ruleset, attacker: int, content: int, *, on_source: bool) -> bool:
    """Whether the piece that a battle left on a square is the attacker.

    `on_source` says that the square is the one from which it attacked.
    """
    if on_source:
        return True
    if owner(content) is not owner(attacker):
        return False
    return not (content & MARKED and rules.mark == "demoted") or content == attacker


@lru_cache(maxsize=64)
def probes(rules: Ruleset) -> RuleProbes:
    """The probes of a ruleset, kept for the life of the process."""
    return RuleProbes(rules)
