"""Piece values: what each piece is worth now, and what a battle is expected to gain."""

from collections.abc import Mapping
from functools import cache

from games.bots.belief.rank_belief import RankBelief, expected_counts
from games.bots.boards.battle_tables import BattleTables
from games.bots.heuristics.base import Heuristics
from games.rules.core.basics.pieces import KIND, MARKED, Rank, Seat, owner, piece

WIN = 300.0  # the value of a flag; all other pieces of an army together come near it
MIN_VALUE = 4.0  # in a game without heuristics: of a piece that beats nothing
STRENGTH_VALUE = 40.0  # and what is added for one that beats everything
DRAW_COST = 60.0  # cost of a draw for a side that is even
DRAW_NEAR_PLIES = 170  # plies without a battle after which a draw is near and costs nothing
DRAW_GAIN = 60.0  # gain of a draw for a side that has nothing left to win with

Chances = list[tuple[int, float]]  # the contents that a piece may be, each with its chance


class PieceValues:
    """Values by content of a cell (`table`): own pieces positive, enemy pieces negative.

    `army_values` are the values of the own army and the enemy's without flags, which both sides
    have until the end: next to a flag's value no other difference would show. `draw` is what this
    seat gains if the match is drawn.
    """

    def __init__(self, belief: RankBelief, heuristics: Heuristics, quiet: int = 0) -> None:
        self.belief = belief
        self.units = belief.units
        self.rules = belief.rules
        self.seat = self.units.seat
        self.battles: BattleTables = self.units.battles
        self.heuristics = heuristics
        own: dict[Rank, float] = {}
        for unit in self.units.own():
            if unit.content is not None:
                rank = self.rules.rank_of(unit.content)
                own[rank] = own.get(rank, 0.0) + 1
        counts = {self.seat: own, self.seat.other: expected_counts(belief)}
        self.table = [0.0] * 256
        for seat in Seat:
            for content in self._contents(seat):
                value = self._value(content, counts[seat], counts[seat.other])
                self.table[content] = value if seat is self.seat else -value
        self.army_values = self._army_values()
        self.draw = self._draw_value(quiet)
        self.gain = cache(self._gain)
        self.gain_row = cache(self._gain_row)
        self._removed = cache(self._removed_contents)
        self._drawn = cache(self._drawn_contents)

    def _contents(self, seat: Seat) -> list[int]:
        marks = (False, True) if self.rules.mark else (False,)
        kinds = self.rules.kinds.values()
        return [piece(seat, kind, marked=marked) for kind in kinds for marked in marks]

    def _value(self, content: int, own: Mapping[Rank, float], enemy: Mapping[Rank, float]) -> float:
        rank = self.rules.rank_of(content)
        if self._is_flag(content):
            return WIN
        if self.heuristics.piece_value:
            demoted = bool(content & MARKED) and self.rules.mark == "demoted"
            return self.heuristics.piece_value(rank, demoted, own, enemy)
        return self._strength(content, enemy)

    def _is_flag(self, content: int) -> bool:
        return content & KIND in self.battles.flag_kinds

    def _strength(self, content: int, enemy: Mapping[Rank, float]) -> float:
        """The value of a piece by the share of the enemy's pieces that it beats."""
        if self.rules.rank_of(content) not in self.battles.mobile:
            return MIN_VALUE
        other = owner(content).other
        beaten = 0.0
        for rank, count in enemy.items():
            result = self.battles.battle(content, piece(other, self.rules.kinds[rank]))
            owners = [owner(left) for left in (result.at_source, result.at_target) if left]
            beaten += count * (bool(owners) and other not in owners)
        share = beaten / max(1.0, sum(enemy.values()))
        return MIN_VALUE + STRENGTH_VALUE * share * share

    def _army_values(self) -> tuple[float, float]:
        own = sum(
            self.table[unit.content]
            for unit in self.units.own()
            if unit.content and not self._is_flag(unit.content)
        )
        enemy = -sum(
            chance * self.table[content]
            for unit in self.units.enemies()
            for content, chance in self.belief.contents(unit)
            if not self._is_flag(content)
        )
        return own, enemy

    # --- the end of the match

    def can_lose(self) -> bool:
        """Whether the enemy may have a piece that wins by attacking this seat's flag."""
        return not self._own_flags() or self.expected_flag_attackers() > 0.0

    def expected_flag_attackers(self) -> float:
        """How many enemy pieces are expected to win by attacking this seat's flag."""
        flags = self._own_flags()
        return sum(
            chance
            for enemy in self.units.enemies()
            for content, chance in self.belief.contents(enemy)
            if any(self.battles.battle(content, flag).winner > 0 for flag in flags)
        )

    def _own_flags(self) -> list[int]:
        contents = [unit.content or 0 for unit in self.units.own()]
        return [content for content in contents if self._is_flag(content)]

    def can_win(self) -> bool:
        """Whether this seat has a piece that wins by attacking the enemy's flag."""
        enemy = self.seat.other
        return any(
            self.battles.battle(unit.content, piece(enemy, kind)).winner > 0
            for unit in self.units.own()
            if unit.content
            for kind in self.battles.flag_kinds
        )

    def _draw_value(self, quiet: int) -> float:
        """What this seat gains if the match is drawn: the better it stands, the less."""
        if not self.can_win():
            return DRAW_GAIN
        own, enemy = self.army_values
        gain = max(-WIN / 2, min(WIN / 2, enemy - own - DRAW_COST))
        return gain * max(0.0, 1 - quiet / DRAW_NEAR_PLIES)

    # --- battles

    def _gain(self, attacker: int, defender: int) -> float:
        """What this seat gains by a battle, whichever side attacks."""
        at_source, at_target, over, winner = self.battles.battle(attacker, defender)
        if not over:
            table = self.table
            gain = table[at_source] + table[at_target]
            return gain - (table[attacker] + table[defender])
        if not winner:
            return self.draw
        return WIN if (owner(attacker) is self.seat) == (winner > 0) else -WIN

    def expected_gain(self, attacker: int, contents: Chances) -> float:
        """What this seat may expect of an own attack on a piece that may be several things."""
        row = self.gain_row(attacker)
        total = 0.0
        for content, chance in contents:
            total += chance * row[content]
        return total

    def _gain_row(self, attacker: int) -> list[float]:
        """By enemy content, what an own piece gains by attacking it."""
        row = [0.0] * 256
        for content in self._contents(self.seat.other):
            row[content] = self.gain(attacker, content)
        return row

    def survival_chance(self, attacker: int, contents: Chances) -> float:
        """The chance that an attacker is left after its battle, on its side and as strong."""
        battle = self.battles.battle
        chances = 0.0
        for content, chance in contents:
            result = battle(attacker, content)
            if attacker & KIND in (result.at_source & KIND, result.at_target & KIND):
                chances += chance
        return chances

    def removal_chance(self, attacker: int, contents: Chances) -> float:
        """The chance that an own attack leaves no enemy on its target."""
        removed = self._removed(attacker)
        return sum([chance for content, chance in contents if content in removed])

    def draw_chance(self, attacker: int, contents: Chances) -> float:
        """The chance that an own attack ends the match in a draw."""
        drawn = self._drawn(attacker)
        if not drawn:
            return 0.0
        return sum([chance for content, chance in contents if content in drawn])

    def _removed_contents(self, attacker: int) -> frozenset[int]:
        """The enemy contents that an own attack removes from its target."""
        battle, enemies = self.battles.battle, self._contents(self.seat.other)
        left = {content: battle(attacker, content).at_target for content in enemies}
        return frozenset(
            content for content in enemies if not left[content] or owner(left[content]) is self.seat
        )

    def _drawn_contents(self, attacker: int) -> frozenset[int]:
        """The enemy contents with which an own attack draws."""
        results = {
            content: self.battles.battle(attacker, content)
            for content in self._contents(self.seat.other)
        }
        return frozenset(
            content for content, result in results.items() if result.over and not result.winner
        )

    def expected_value(self, contents: Chances) -> float:
        """The expected value of an enemy piece to its side."""
        return -sum(chance * self.table[content] for content, chance in contents)
