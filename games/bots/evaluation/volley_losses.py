"""Volley losses: what the archers of both sides are expected to remove from a board."""

from collections.abc import Iterator, Mapping

from games.bots.boards.move_tables import move_tables
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.pieces import owner

OWN_VOLLEY_SHARE = 0.55  # of an own volley after the enemy's turn, as its targets may move away
MAX_HITS = 1.5  # of enemy archers on one piece; more remove no more
MIN_CHANCE = 0.01  # smaller chances are left out

Hits = Mapping[int, float]  # by cell of an own piece, how often it is expected to be hit


class VolleyLosses:
    """The volleys that follow a move: the enemy's at once, the own one after the enemy's turn.

    Where both sides shoot before every turn, there is an own volley at once as well.
    """

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.seat = situation.seat
        self.values = situation.values
        self.battles = situation.values.battles
        self.tables = move_tables(self.battles)
        self.archers = [
            (unit.cell, chance, self.battles.shots(self.seat.other, unit.cell))
            for unit in situation.enemies
            if (chance := self._archer_chance(unit.cell)) > MIN_CHANCE
        ]
        self._losses: dict[tuple[int, int], float] = {}

    def _archer_chance(self, cell: int) -> float:
        contents = self.situation.contents[cell]
        return sum(chance for content, chance in contents if self.tables.shoots[content])

    # --- the enemy's volley

    def expected_hits(self, cells: bytes) -> Hits:
        """How often each own piece is expected to be hit."""
        hits: dict[int, float] = {}
        for cell, chance, shots in self.archers:
            if not cells[cell] or owner(cells[cell]) is self.seat:
                continue
            for target in shots:
                content = cells[target]
                if content and owner(content) is self.seat:
                    hits[target] = hits.get(target, 0.0) + chance
        return hits

    def own_loss(self, cells: bytes, hits: Hits) -> float:
        """What the enemy's volley is expected to cost this seat."""
        return sum(
            min(number, MAX_HITS) * self._loss_by_hit(cells[at]) for at, number in hits.items()
        )

    def after_volley(self, content: int, hits: float) -> Iterator[tuple[int, float]]:
        """The contents that a volley may leave of an own piece, each with its chance."""
        hit_chance = min(1.0, hits)
        if hit_chance < MIN_CHANCE:
            yield content, 1.0
            return
        if hit_chance < 1.0:
            yield content, 1.0 - hit_chance
        if left := self.tables.after_hit[content]:
            yield left, hit_chance

    # --- the own volley

    def enemy_loss(self, cells: bytes, hits: Hits, capture_chances: Mapping[int, float]) -> float:
        """What the own volleys are expected to cost the enemy.

        `capture_chances` says by cell how surely the enemy takes an own archer in its turn before.
        """
        at_once = 1.0 if self.tables.both_shoot else 0.0
        enemy, loss = self.seat.other, 0.0
        for cell in self.tables.cells:
            archer = cells[cell]
            if not self.tables.shoots[archer] or owner(archer) is enemy:
                continue
            survival = (1 - min(1.0, hits.get(cell, 0.0))) * (1 - capture_chances.get(cell, 0.0))
            volleys = at_once + OWN_VOLLEY_SHARE * survival
            for target in self.battles.shots(self.seat, cell):
                content = cells[target]
                if content and owner(content) is enemy:
                    loss += volleys * self._expected_loss_by_hit(target, content)
        return loss

    def _loss_by_hit(self, content: int) -> float:
        """What one hit takes from the value of a piece."""
        table = self.values.table
        left = self.tables.after_hit[content]
        return abs(table[content]) - (abs(table[left]) if left else 0.0)

    def _expected_loss_by_hit(self, cell: int, content: int) -> float:
        """What one hit is expected to take from the value of an enemy piece."""
        key = cell, content
        loss = self._losses.get(key)
        if loss is None:
            loss = self._losses[key] = sum(
                chance * self._loss_by_hit(possible)
                for possible, chance in self.situation.contents.get(cell) or [(content, 1.0)]
            )
        return loss
