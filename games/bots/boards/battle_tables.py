"""Battle tables: who beats whom, which pieces move, and which are flags, asked of the rules.

The rules are asked on boards that hold almost nothing, so no bot knows a game's table of battles,
and a new game has its tables at once. A flag is any piece whose loss ends the match.
"""

from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from games.rules.core.basics.moves import Attack
from games.rules.core.basics.pieces import MARKED, Rank, Seat, owner, piece
from games.rules.core.knowledge.rule_probes import probes
from games.rules.core.ruleset.base import Ruleset


class BattleResult(NamedTuple):
    """The contents that a battle leaves on the attacker's cell and on the defender's.

    `over` is whether it ends the match; `winner` is then 1 for the attacker's side, -1 for the
    defender's, 0 for a draw.
    """

    at_source: int
    at_target: int
    over: bool
    winner: int


class BattleTables:
    """The battles and moves of one ruleset, each asked once."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.probe = probes(rules)
        self.battle = cache(self._battle)
        self.shots = cache(self._shots)

    def _battle(self, attacker: int, defender: int) -> BattleResult:
        """The result when one content of a cell attacks another."""
        rules, seat = self.rules, owner(attacker)
        source, target = self.probe.middle
        cells = bytearray(self.bystanders)
        cells[source], cells[target] = attacker, defender
        after, _ = rules.apply(
            self.probe.board_of(bytes(cells), seat), seat, Attack(source, target)
        )
        winner = 0
        if after.outcome and after.outcome.winner is not None:
            winner = 1 if after.outcome.winner is seat else -1
        return BattleResult(after.cells[source], after.cells[target], bool(after.outcome), winner)

    @cached_property
    def mobile(self) -> tuple[Rank, ...]:
        """The ranks that can move."""
        source = self.probe.middle[0]
        return tuple(
            rank
            for rank in self.rules.kinds
            if any(
                self.can_walk(Seat.SOUTH, rank, source, source + step)
                for step in (1, -1, self.rules.board.stride)
            )
        )

    @cached_property
    def mobile_flags(self) -> tuple[Rank, ...]:
        """The ranks of flags that can move."""
        return tuple(rank for rank in self.mobile if self.rules.kinds[rank] in self.flag_kinds)

    @cached_property
    def single_steps(self) -> bool:
        """Whether pieces move along rows and columns only, and there are no volleys.

        Pieces that may go farther in a turn are no exception.
        """
        source, stride = self.probe.middle[0], self.rules.board.stride
        return not self.rules.volleys and not any(
            self.can_walk(seat, rank, source, source + step)
            for seat in Seat
            for rank in self.mobile
            for step in (stride + 1, stride - 1, -stride + 1, -stride - 1)
        )

    @cached_property
    def all_slide(self) -> bool:
        """Whether every mobile piece can move more than one step in a turn."""
        source = self.probe.middle[0]
        return all(self.can_walk(Seat.SOUTH, rank, source, source + 2) for rank in self.mobile)

    @cached_property
    def bystanders(self) -> bytes:
        """A board with a mobile piece of each side in a corner, so that neither army is gone."""
        board = self.rules.board
        cells = bytearray(board.blank)
        for seat, cell in ((Seat.SOUTH, board.cells[0]), (Seat.NORTH, board.cells[-1])):
            cells[cell] = piece(seat, self.rules.kinds[self.mobile[0]])
        return bytes(cells)

    def can_walk(self, seat: Seat, rank: Rank, source: int, target: int) -> bool:
        """Whether a piece of a rank could move between two cells with nothing in between."""
        blank = self.rules.board.blank
        if target < 0 or target >= len(blank) or blank[target]:
            return False
        return self.probe.can_go(seat, rank, source, target)

    @cached_property
    def flag_kinds(self) -> frozenset[int]:
        """The kinds of piece whose loss ends the match."""
        kinds = self.rules.kinds
        attackers = [piece(Seat.SOUTH, kinds[rank]) for rank in self.mobile]
        return frozenset(
            kind
            for kind in kinds.values()
            if any(
                self.battle(attacker, piece(Seat.NORTH, kind)).winner > 0 for attacker in attackers
            )
        )

    @cached_property
    def archers(self) -> tuple[Rank, ...]:
        """The ranks of the army list that shoot in volleys."""
        if not self.rules.volleys:
            return ()
        middle = self.probe.middle[0]
        ranks = [troop.rank for troop in self.rules.army]
        return tuple(rank for rank in ranks if self._shots_of(Seat.SOUTH, rank, middle))

    def _shots(self, seat: Seat, cell: int) -> tuple[int, ...]:
        """The cells that an archer of a side hits from a cell, with nothing in between."""
        return self._shots_of(seat, self.archers[0], cell)

    def _shots_of(self, seat: Seat, rank: Rank, cell: int) -> tuple[int, ...]:
        rules, volleys = self.rules, self.rules.volleys
        if volleys is None:
            return ()
        enemy = piece(seat.other, rules.kinds[self.mobile[0]])
        targets = []
        for target in rules.board.cells:
            cells = bytearray(rules.board.blank)
            cells[target], cells[cell] = enemy, piece(seat, rules.kinds[rank])
            after, _ = volleys.before_first_move(self.probe.board_of(bytes(cells), seat))
            if cells[target] == enemy != after.cells[target]:
                targets.append(target)
        return tuple(targets)

    def after_hit(self, content: int) -> int:
        """What a piece becomes when a volley hits it; 0 if it is removed."""
        if content & MARKED:
            return 0
        lower = self.rules.stands_as(self.rules.rank_of(content), marked=True)
        if not lower:
            return 0
        return piece(owner(content), self.rules.kinds[lower[0]], marked=True)


@lru_cache(maxsize=64)
def battle_tables(rules: Ruleset) -> BattleTables:
    """The tables of a ruleset, made once a process."""
    return BattleTables(rules)
