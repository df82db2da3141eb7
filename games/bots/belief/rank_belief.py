"""Belief: how likely each enemy piece is of each rank, from counts and from what it has shown.

The weights of single pieces (evidence.py) are brought into line with what is left of the army by
scaling rows and columns in turn, so that every piece is something and every rank is somewhere.
"""

from collections.abc import Mapping
from random import Random

from games.bots.belief.rank_evidence import Evidence
from games.bots.belief.tracked_units import Unit, Units
from games.bots.heuristics.base import Habits
from games.rules.core.basics.pieces import Rank, piece

SCALINGS = 14  # rounds; after them rows and columns agree to a few parts in a thousand


class Belief:
    """What one seat believes of the other's unidentified pieces at one moment."""

    def __init__(self, units: Units, habits: Habits, ply: int, *, keen: bool = True) -> None:
        self.units = units
        self.rules = units.rules
        self.habits = habits
        enemies = units.enemies()
        self.known = [unit for unit in enemies if unit.content is not None]
        self.unknown = [unit for unit in enemies if unit.content is None]
        pool = units.pool()
        self.ranks = tuple(rank for rank in units.army if pool[rank])
        self.counts = [float(pool[rank]) for rank in self.ranks]
        self.evidence = Evidence(units, habits, self.ranks, ply, keen=keen)
        self._standing: dict[tuple[Rank, int, bool, int, bool], list[tuple[int, float]]] = {}
        self.weights = [self.evidence.weights(unit) for unit in self.unknown]
        self.likely = self._scaled(self.weights)
        if guarding := self.evidence.guarding(self.unknown, self.weights, self.likely):
            self.likely = self._scaled(guarding)
        self.row_of = {unit.cell: row for row, unit in enumerate(self.unknown)}

    def _scaled(self, weights: list[list[float]]) -> list[list[float]]:
        """The chance of each rank for each unknown piece, by its weights."""
        table = [list(row) for row in weights]
        everything = sum(self.counts)
        if not table:
            return table
        # What is out of play takes its share of every rank that an army may go without.
        spare = everything - len(table)
        raised = [rank in self.habits.always_raised for rank in self.ranks]
        free = sum(count for count, must in zip(self.counts, raised, strict=True) if not must)
        share = max(0.0, 1 - spare / free) if free and spare > 0 else 1.0
        wanted = [
            count if must else count * share
            for count, must in zip(self.counts, raised, strict=True)
        ]
        columns = range(len(self.ranks))
        for _ in range(SCALINGS):
            sums = [0.0] * len(self.ranks)
            for row in table:
                for column in columns:
                    sums[column] += row[column]
            factors = [want / one if one else 0.0 for want, one in zip(wanted, sums, strict=True)]
            for row in table:
                for column in columns:
                    row[column] *= factors[column]
                whole = sum(row)
                if whole:
                    for column in columns:
                        row[column] /= whole
        return table

    def contents(self, unit: Unit) -> list[tuple[int, float]]:
        """What an enemy piece may stand as, each with its chance."""
        if unit.content is not None:
            return [(unit.content, 1.0)]
        row = self.likely[self.row_of[unit.cell]]
        found = []
        for rank, chance in zip(self.ranks, row, strict=True):
            if chance > 0.0:
                found += self.standing(unit, rank, chance)
        return found

    def standing(self, unit: Unit, rank: Rank, chance: float) -> list[tuple[int, float]]:
        """The ways in which a piece of a rank may stand, each with its part of a chance."""
        key = (rank, unit.seat, unit.marked, self.evidence.depth(unit), unit.moved)
        shares = self._standing.get(key)
        if shares is None:
            shares = self._standing[key] = self._shares(unit, rank)
        return [(content, chance * share) for content, share in shares]

    def _shares(self, unit: Unit, rank: Rank) -> list[tuple[int, float]]:
        """The ways in which a piece of a rank may stand, each with its chance."""
        ways = self.rules.stands_as(rank, marked=unit.marked)
        weigh = self.habits.standing
        depths = max(1, len(self.rules.setup_rows(unit.raised_by)) - 1)
        back = min(1.0, self.evidence.depth(unit) / depths)
        weights = [weigh(way, back, unit.moved) if weigh else 1.0 for way in ways]
        whole = sum(weights)
        return [
            (piece(unit.seat, self.rules.kinds[way], marked=unit.marked), weight / whole)
            for way, weight in zip(ways, weights, strict=True)
        ]

    def told(self) -> dict[str, dict[Rank, float]]:
        """The belief as plain data: for each square of an enemy piece the chance of each rank."""
        names = self.rules.board.names
        believed: dict[str, dict[Rank, float]] = {}
        for unit in (*self.known, *self.unknown):
            chances: dict[Rank, float] = {}
            for content, chance in self.contents(unit):
                rank = self.rules.rank_of(content)
                chances[rank] = round(chances.get(rank, 0.0) + chance, 4)
            believed[names[unit.cell]] = chances
        return believed

    # --- worlds

    def world(self, rng: Random) -> dict[int, int]:
        """One way in which the enemy may stand: the content of each of its cells.

        Drawn rank by rank, those first that fewest pieces can be, so that counts are kept exactly.
        """
        left = list(range(len(self.unknown)))
        chosen: dict[int, Rank] = {}
        guarded: list[int] = []
        for column in self._strictest_first():
            rank = self.ranks[column]
            number = int(self.counts[column])
            for _ in range(number):
                able = [one for one in left if self.weights[one][column] > 0.0]
                if not able or not self._needed(rank, len(left), rng):
                    break
                weights = [self.likely[one][column] + 1e-9 for one in able]
                if guarded and rank in self.habits.guards:
                    weights = [
                        weight * (3.0 if self._beside(one, guarded) else 0.7)
                        for weight, one in zip(weights, able, strict=True)
                    ]
                one = rng.choices(able, weights)[0]
                left.remove(one)
                chosen[one] = rank
                if rank in self.habits.guarded:
                    guarded.append(self.unknown[one].cell)
        return self._placed(chosen, left, rng)

    def _strictest_first(self) -> list[int]:
        able = [sum(row[column] > 0.0 for row in self.weights) for column in range(len(self.ranks))]
        must = [rank not in self.habits.always_raised for rank in self.ranks]
        return sorted(range(len(self.ranks)), key=lambda column: (must[column], able[column]))

    def _needed(self, rank: Rank, left: int, rng: Random) -> bool:
        """Whether one more piece of a rank takes part: where some are out of play, by lot."""
        spare = sum(self.counts) - len(self.unknown)
        if spare <= 0 or rank in self.habits.always_raised:
            return True
        return rng.random() * sum(self.counts) >= spare

    def _beside(self, one: int, cells: list[int]) -> bool:
        stride = self.rules.board.stride
        cell = self.unknown[one].cell
        return any(abs(cell - other) in (1, stride) for other in cells)

    def _placed(self, chosen: dict[int, Rank], left: list[int], rng: Random) -> dict[int, int]:
        """The contents of a drawn world; pieces that no rank was left for take any they may."""
        used = {rank: list(chosen.values()).count(rank) for rank in self.ranks}
        for one in left:
            weights = [
                self.likely[one][column] if used[rank] < self.counts[column] else 0.0
                for column, rank in enumerate(self.ranks)
            ]
            if not any(weights):
                weights = [weight + 1e-9 for weight in self.weights[one]]
            rank = rng.choices(self.ranks, weights)[0]
            chosen[one] = rank
            used[rank] += 1
        world = {unit.cell: unit.content for unit in self.known if unit.content is not None}
        for one, rank in sorted(chosen.items()):
            ways = self.standing(self.unknown[one], rank, 1.0)
            contents = [content for content, _ in ways]
            weights = [chance for _, chance in ways]
            world[self.unknown[one].cell] = rng.choices(contents, weights)[0]
        return world


def expected_counts(belief: Belief) -> Mapping[Rank, float]:
    """How many of each rank the enemy is expected to have standing, as pieces stand."""
    counts: dict[Rank, float] = {}
    for unit in (*belief.known, *belief.unknown):
        for content, chance in belief.contents(unit):
            rank = belief.rules.rank_of(content)
            counts[rank] = counts.get(rank, 0.0) + chance
    return counts
