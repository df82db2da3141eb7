"""Volleys: what the archers of both sides are expected to hit on a board that is weighed."""

from collections.abc import Iterator, Mapping

from games.bots.boards.move_tables import reach_of
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.pieces import owner

OWN_VOLLEY = 0.55  # what an own one counts, since its targets may go away before
MOST_HITS = 1.5  # of the enemy's archers on one piece: that many it cannot survive
UNLIKELY = 0.01  # chances below this are left out

Hits = Mapping[int, float]  # how often each own piece is expected to be hit, by its cell


class Volleys:
    """The volleys that follow a move: the enemy's at once, and the own one after its turn.

    Where both sides shoot before every turn, the own one comes at once as well.
    """

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.seat = situation.seat
        self.values = situation.values
        self.battles = situation.values.battles
        self.reach = reach_of(self.battles)
        self.archers = [
            (unit.cell, chance, self.battles.shots(self.seat.other, unit.cell))
            for unit in situation.enemies
            if (chance := self._chance_of_archer(unit.cell)) > UNLIKELY
        ]
        self._harms: dict[int, float] = {}

    def _chance_of_archer(self, cell: int) -> float:
        contents = self.situation.contents[cell]
        return sum(chance for content, chance in contents if self.reach.shoots[content])

    # --- the enemy's

    def hits(self, cells: bytes) -> Hits:
        """What the enemy's archers are expected to hit, though some pieces stand it."""
        hits: dict[int, float] = {}
        for cell, chance, shots in self.archers:
            if not cells[cell] or owner(cells[cell]) is self.seat:
                continue
            for target in shots:
                content = cells[target]
                if content and owner(content) is self.seat:
                    hits[target] = hits.get(target, 0.0) + chance
        return hits

    def suffered(self, cells: bytes, hits: Hits) -> float:
        """What they are expected to take."""
        return sum(min(number, MOST_HITS) * self._drop(cells[at]) for at, number in hits.items())

    def left(self, content: int, hits: float) -> Iterator[tuple[int, float]]:
        """As what they leave an own piece, each with its chance; what is gone is left out."""
        once = min(1.0, hits)
        if once < UNLIKELY:
            yield content, 1.0
            return
        if once < 1.0:
            yield content, 1.0 - once
        if hit := self.reach.hit[content]:
            yield hit, once

    # --- the own one

    def gained(self, cells: bytes, hits: Hits, taken: Mapping[int, float]) -> float:
        """What the own archers take that are still there then.

        `taken` is by cell how surely the enemy takes one in its turn before that.
        """
        at_once = 1.0 if self.reach.both_shoot else 0.0
        foe, worth = self.seat.other, 0.0
        for cell in self.reach.cells:
            archer = cells[cell]
            if not self.reach.shoots[archer] or owner(archer) is foe:
                continue
            there = (1 - min(1.0, hits.get(cell, 0.0))) * (1 - taken.get(cell, 0.0))
            volleys = at_once + OWN_VOLLEY * there
            for target in self.battles.shots(self.seat, cell):
                content = cells[target]
                if content and owner(content) is foe:
                    worth += volleys * self._harm(target, content)
        return worth

    def _drop(self, content: int) -> float:
        """What one hit takes from the worth of a piece."""
        table = self.values.table
        left = self.reach.hit[content]
        return abs(table[content]) - (abs(table[left]) if left else 0.0)

    def _harm(self, cell: int, content: int) -> float:
        """What one hit is expected to take from an enemy."""
        found = self._harms.get(cell)
        if found is None:
            found = self._harms[cell] = sum(
                chance * self._drop(one)
                for one, chance in self.situation.contents.get(cell) or [(content, 1.0)]
            )
        return found
