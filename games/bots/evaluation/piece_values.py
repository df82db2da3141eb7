"""Values: what pieces are worth at this moment, and what a battle is expected to bring."""

from collections.abc import Mapping

from games.bots.belief.rank_belief import Belief, expected_counts
from games.bots.boards.battle_tables import Battles
from games.bots.heuristics.base import Habits
from games.rules.core.basics.pieces import KIND, MARKED, Rank, Seat, owner, piece

WIN = 300.0  # the worth of a piece whose loss loses the game; all others together come near it
PLAIN_WORTH = 4.0  # of a piece that beats nothing, in a game without habits
STRENGTH_WORTH = 40.0  # of one that beats everything
DRAW_SHUNNED = 60.0  # what the end of a match without a winner costs a side that stands even
DRAW_NEAR_PLIES = 170  # without a battle, after which such an end costs nothing: it is coming
DRAW_SOUGHT = 60.0  # what it is worth to a side that has nothing left to win with


class Values:
    """The worth of every content of a cell, own pieces positive and the enemy's negative."""

    def __init__(self, belief: Belief, habits: Habits, quiet: int = 0) -> None:
        self.belief = belief
        self.units = belief.units
        self.rules = belief.rules
        self.seat = self.units.seat
        self.battles: Battles = self.units.battles
        self.habits = habits
        own: dict[Rank, float] = {}
        for unit in self.units.own():
            if unit.content is not None:
                rank = self.rules.rank_of(unit.content)
                own[rank] = own.get(rank, 0.0) + 1
        counts = {self.seat: own, self.seat.other: expected_counts(belief)}
        self.table = [0.0] * 256
        for seat in Seat:
            for content in self._contents(seat):
                value = self._worth(content, counts[seat], counts[seat.other])
                self.table[content] = value if seat is self.seat else -value
        # What the own pieces are worth, and the enemy's, but for those whose loss ends the match:
        # both sides have theirs until then, and beside their worth no other difference would show.
        self.armies = self._armies(belief)
        self.draw = self._draw(quiet)
        self.swings: dict[int, float] = {}
        self.rows: dict[int, list[float]] = {}
        self.endings: dict[int, tuple[frozenset[int], frozenset[int]]] = {}

    def _contents(self, seat: Seat) -> list[int]:
        marks = (False, True) if self.rules.mark else (False,)
        kinds = self.rules.kinds.values()
        return [piece(seat, kind, marked=marked) for kind in kinds for marked in marks]

    def _worth(self, content: int, own: Mapping[Rank, float], foe: Mapping[Rank, float]) -> float:
        rank = self.rules.rank_of(content)
        if self._crown(content):
            return WIN
        if self.habits.worth:
            demoted = bool(content & MARKED) and self.rules.mark == "demoted"
            return self.habits.worth(rank, demoted, own, foe)
        return self._strength(content, foe)

    def _crown(self, content: int) -> bool:
        """Whether losing this piece loses the game."""
        return content & KIND in self.battles.crowns

    def _strength(self, content: int, foe: Mapping[Rank, float]) -> float:
        """The worth of a piece by the enemies that it beats, in a game without habits."""
        if self.rules.rank_of(content) not in self.battles.mobile:
            return PLAIN_WORTH
        other = owner(content).other
        beaten = 0.0
        for rank, count in foe.items():
            clash = self.battles.clash(content, piece(other, self.rules.kinds[rank]))
            mine = any(left and owner(left) is not other for left in (clash.behind, clash.ahead))
            theirs = any(left and owner(left) is other for left in (clash.behind, clash.ahead))
            beaten += count * (mine and not theirs)
        share = beaten / max(1.0, sum(foe.values()))
        return PLAIN_WORTH + STRENGTH_WORTH * share * share

    def _armies(self, belief: Belief) -> tuple[float, float]:
        own = sum(
            self.table[unit.content]
            for unit in self.units.own()
            if unit.content and not self._crown(unit.content)
        )
        foe = -sum(
            chance * self.table[content]
            for unit in self.units.enemies()
            for content, chance in belief.contents(unit)
            if not self._crown(content)
        )
        return own, foe

    def beatable(self) -> bool:
        """Whether the enemy may have a piece that wins by attacking what decides the match."""
        return not self._own_crowns() or self.takers() > 0.0

    def takers(self) -> float:
        """How many enemy pieces are expected to win by attacking what decides the match."""
        crowns = self._own_crowns()
        return sum(
            chance
            for enemy in self.units.enemies()
            for content, chance in self.belief.contents(enemy)
            if any(self.battles.clash(content, crown).decisive > 0 for crown in crowns)
        )

    def _own_crowns(self) -> list[int]:
        contents = [unit.content or 0 for unit in self.units.own()]
        return [content for content in contents if self._crown(content)]

    def hopeful(self) -> bool:
        """Whether this seat has a piece that wins by attacking what decides the match."""
        foe = self.seat.other
        return any(
            self.battles.clash(unit.content, piece(foe, kind)).decisive > 0
            for unit in self.units.own()
            if unit.content
            for kind in self.battles.crowns
        )

    def _draw(self, quiet: int) -> float:
        """What this seat gains if the match is drawn: the less, the better it stands."""
        if not self.hopeful():
            return DRAW_SOUGHT
        own, foe = self.armies
        gain = max(-WIN / 2, min(WIN / 2, foe - own - DRAW_SHUNNED))
        return gain * max(0.0, 1 - quiet / DRAW_NEAR_PLIES)

    def swing(self, attacker: int, defender: int) -> float:
        """What this seat gains by a battle, whoever attacks."""
        key = attacker << 8 | defender
        found = self.swings.get(key)
        if found is None:
            clash = self.battles.clash(attacker, defender)
            table = self.table
            if clash.decisive:
                mine = owner(attacker) is self.seat
                found = WIN if mine == (clash.decisive > 0) else -WIN
            elif clash.drawn:
                found = self.draw
            else:
                found = table[clash.behind] + table[clash.ahead]
                found -= table[attacker] + table[defender]
            self.swings[key] = found
        return found

    def expected(self, attacker: int, contents: list[tuple[int, float]]) -> float:
        """What this seat may expect of attacking a piece that may be several things."""
        row = self.swings_of(attacker)
        total = 0.0
        for content, chance in contents:
            total += chance * row[content]
        return total

    def swings_of(self, attacker: int) -> list[float]:
        """What an own piece gains by attacking each enemy content; made once."""
        row = self.rows.get(attacker)
        if row is None:
            row = self.rows[attacker] = [0.0] * 256
            for content in self._contents(self.seat.other):
                row[content] = self.swing(attacker, content)
        return row

    def survival(self, attacker: int, contents: list[tuple[int, float]]) -> float:
        """The chance that an attacker is left after a battle, with its side and strength."""
        clash = self.battles.clash
        chances = 0.0
        for content, chance in contents:
            left = clash(attacker, content)
            if attacker & KIND in (left.behind & KIND, left.ahead & KIND):
                chances += chance
        return chances

    def removal(self, attacker: int, contents: list[tuple[int, float]]) -> float:
        """The chance that an attack leaves nothing of the enemy on its square."""
        removed, _ = self._endings(attacker)
        return sum([chance for content, chance in contents if content in removed])

    def drawing(self, attacker: int, contents: list[tuple[int, float]]) -> float:
        """The chance that an attack ends the match without a winner."""
        _, drawn = self._endings(attacker)
        if not drawn:
            return 0.0
        return sum([chance for content, chance in contents if content in drawn])

    def _endings(self, attacker: int) -> tuple[frozenset[int], frozenset[int]]:
        """The enemy contents that an own piece removes, and those that draw; made once."""
        found = self.endings.get(attacker)
        if found is None:
            removed, drawn = set(), set()
            for content in self._contents(self.seat.other):
                clash = self.battles.clash(attacker, content)
                if not clash.ahead or owner(clash.ahead) is self.seat:
                    removed.add(content)
                if clash.drawn:
                    drawn.add(content)
            found = self.endings[attacker] = frozenset(removed), frozenset(drawn)
        return found

    def worth_of(self, contents: list[tuple[int, float]]) -> float:
        """What an enemy piece is expected to be worth that may be several things."""
        return -sum(chance * self.table[content] for content, chance in contents)
