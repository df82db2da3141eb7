"""Battles and steps, found out by asking the rules on boards that hold nothing else.

So no brain knows a game's table of battles, and a game that is added tomorrow has one already.
"""

from functools import cached_property, lru_cache
from typing import NamedTuple

from games.rules.core.basics.moves import Attack
from games.rules.core.basics.pieces import MARKED, Rank, Seat, owner, piece
from games.rules.core.knowledge.rule_probes import probes
from games.rules.core.ruleset.base import Ruleset


class BattleResult(NamedTuple):
    """What a battle leaves: on the square of the attacker, and on the defender's.

    `decisive` is 1 if the attacker's side has won the game by it, -1 if it has lost, else 0;
    `drawn` is whether the game has ended by it without a winner.
    """

    behind: int
    ahead: int
    decisive: int
    drawn: bool


class Battles:
    """The battles and steps of one ruleset, each asked once."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.asked = probes(rules)
        self.results: dict[int, BattleResult] = {}
        self._shots: dict[tuple[Seat, int], tuple[int, ...]] = {}

    def clash(self, attacker: int, defender: int) -> BattleResult:
        """What is left when one piece attacks another, each as the content of a cell."""
        key = attacker << 8 | defender
        found = self.results.get(key)
        if found is None:
            found = self.results[key] = self._ask(attacker, defender)
        return found

    def _ask(self, attacker: int, defender: int) -> BattleResult:
        rules, seat = self.rules, owner(attacker)
        source, target = self.asked.middle
        cells = bytearray(self.bystanders)
        cells[source], cells[target] = attacker, defender
        after, _ = rules.apply(
            self.asked.board_of(bytes(cells), seat), seat, Attack(source, target)
        )
        decisive = 0
        if after.outcome and after.outcome.winner is not None:
            decisive = 1 if after.outcome.winner is seat else -1
        drawn = bool(after.outcome) and not decisive
        return BattleResult(after.cells[source], after.cells[target], decisive, drawn)

    @cached_property
    def mobile(self) -> tuple[Rank, ...]:
        """The ranks that move at all, as pieces may stand."""
        source = self.asked.middle[0]
        return tuple(
            rank
            for rank in self.rules.kinds
            if any(
                self.can_walk(Seat.SOUTH, rank, source, source + step)
                for step in (1, -1, self.rules.board.stride)
            )
        )

    @cached_property
    def deciders(self) -> tuple[Rank, ...]:
        """The ranks that decide the match and can move."""
        return tuple(rank for rank in self.mobile if self.rules.kinds[rank] in self.crowns)

    @cached_property
    def straight_steps(self) -> bool:
        """Whether pieces go along rows and columns alone, and none strikes from afar."""
        source, stride = self.asked.middle[0], self.rules.board.stride
        return not self.rules.volleys and not any(
            self.can_walk(seat, rank, source, source + step)
            for seat in Seat
            for rank in self.mobile
            for step in (stride + 1, stride - 1, -stride + 1, -stride - 1)
        )

    @cached_property
    def far_strikes(self) -> bool:
        """Whether every piece can come from more than one step away and strike."""
        source = self.asked.middle[0]
        return all(self.can_walk(Seat.SOUTH, rank, source, source + 2) for rank in self.mobile)

    @cached_property
    def bystanders(self) -> bytes:
        """A board with a mobile piece of each side in a corner, so that no army is without one."""
        board = self.rules.board
        strong = self.mobile[0]
        cells = bytearray(board.blank)
        for seat, cell in ((Seat.SOUTH, board.cells[0]), (Seat.NORTH, board.cells[-1])):
            cells[cell] = piece(seat, self.rules.kinds[strong])
        return bytes(cells)

    def can_walk(self, seat: Seat, rank: Rank, source: int, target: int) -> bool:
        """Whether a piece of a rank could go from one cell to another, were nothing in between."""
        blank = self.rules.board.blank
        if target < 0 or target >= len(blank) or blank[target]:
            return False
        return self.asked.can_go(seat, rank, source, target)

    @cached_property
    def crowns(self) -> frozenset[int]:
        """The kinds of piece whose loss ends the game."""
        kinds = self.rules.kinds
        attackers = [piece(Seat.SOUTH, kinds[rank]) for rank in self.mobile]
        return frozenset(
            kind
            for kind in kinds.values()
            if any(
                self.clash(attacker, piece(Seat.NORTH, kind)).decisive > 0 for attacker in attackers
            )
        )

    @cached_property
    def archers(self) -> tuple[Rank, ...]:
        """The lines of the army list that shoot before a turn."""
        middle = self.asked.middle[0]
        ranks = [troop.rank for troop in self.rules.army]
        return tuple(rank for rank in ranks if self._shots_of(Seat.SOUTH, rank, middle))

    def shots(self, seat: Seat, cell: int) -> tuple[int, ...]:
        """The cells that an archer of a side hits from a cell, were nothing in between."""
        found = self._shots.get((seat, cell))
        if found is None:
            found = self._shots[seat, cell] = self._shots_of(seat, self.archers[0], cell)
        return found

    def _shots_of(self, seat: Seat, rank: Rank, cell: int) -> tuple[int, ...]:
        rules, volleys = self.rules, self.rules.volleys
        if volleys is None:
            return ()
        strong = piece(seat.other, rules.kinds[self.mobile[0]])
        found = []
        for target in rules.board.cells:
            cells = bytearray(rules.board.blank)
            cells[target], cells[cell] = strong, piece(seat, rules.kinds[rank])
            after, _ = volleys.before_first_move(self.asked.board_of(bytes(cells), seat))
            if cells[target] == strong != after.cells[target]:
                found.append(target)
        return tuple(found)

    def hit(self, content: int) -> int:
        """What a piece becomes when a volley hits it; 0 if it is removed."""
        if content & MARKED:
            return 0
        lower = self.rules.stands_as(self.rules.rank_of(content), marked=True)
        if not lower:
            return 0
        return piece(owner(content), self.rules.kinds[lower[0]], marked=True)


@lru_cache(maxsize=64)
def battles(rules: Ruleset) -> Battles:
    """The battles of a ruleset, asked once a process."""
    return Battles(rules)
