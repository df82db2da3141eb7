"""Rank belief: the chance of each rank for each enemy piece, and positions sampled from it.

The weights of single pieces (rank_evidence.py) become chances that agree with what is left of the
army by iterative proportional fitting: rows and columns of the table are scaled in turn.
"""

from collections.abc import Mapping
from random import Random

from games.bots.belief.rank_evidence import RankEvidence
from games.bots.belief.tracked_units import TrackedUnits, Unit
from games.bots.heuristics.base import Heuristics
from games.bots.levels import MARSHAL, Level
from games.rules.core.basics.pieces import Rank, piece

FITTING_ROUNDS = 14  # after which rows and columns agree to a few parts in a thousand
NEXT_TO_GUARDED = 3.0  # the factor for a guard next to a guarded piece, when a position is sampled
NOT_NEXT_TO_GUARDED = 0.7


class RankBelief:
    """What a seat believes of the enemy's unidentified units at one moment.

    `chances` and `weights` have a row for each unit of `unknown` and a column for each rank of
    `ranks`, of which `counts` says how many are unidentified.
    """

    def __init__(
        self, units: TrackedUnits, heuristics: Heuristics, ply: int, level: Level = MARSHAL
    ) -> None:
        self.units = units
        self.rules = units.rules
        self.heuristics = heuristics
        enemies = units.enemies()
        self.known = [unit for unit in enemies if unit.content is not None]
        self.unknown = [unit for unit in enemies if unit.content is None]
        remaining = units.unidentified_ranks()
        self.ranks = tuple(rank for rank in units.army if remaining[rank])
        self.counts = [float(remaining[rank]) for rank in self.ranks]
        self.evidence = RankEvidence(units, heuristics, self.ranks, ply, level)
        self._shares: dict[tuple[Rank, int, bool, int, bool], list[tuple[int, float]]] = {}
        self.weights = [self.evidence.weights(unit) for unit in self.unknown]
        self.chances = self._fitted(self.weights)
        if changed := self.evidence.with_neighbours(self.unknown, self.weights, self.chances):
            self.chances = self._fitted(changed)
        self.row_by_cell = {unit.cell: row for row, unit in enumerate(self.unknown)}

    def _fitted(self, weights: list[list[float]]) -> list[list[float]]:
        """The chance of each rank for each unknown unit."""
        table = [list(row) for row in weights]
        total = sum(self.counts)
        if not table:
            return table
        # Pieces out of play take the same share of every rank that an army may lack.
        out_of_play = total - len(table)
        required = [rank in self.heuristics.always_in_play for rank in self.ranks]
        optional = sum(count for count, must in zip(self.counts, required, strict=True) if not must)
        share = max(0.0, 1 - out_of_play / optional) if optional and out_of_play > 0 else 1.0
        targets = [
            count if must else count * share
            for count, must in zip(self.counts, required, strict=True)
        ]
        columns = range(len(self.ranks))
        for _ in range(FITTING_ROUNDS):
            sums = [0.0] * len(self.ranks)
            for row in table:
                for column in columns:
                    sums[column] += row[column]
            factors = [
                target / column_sum if column_sum else 0.0
                for target, column_sum in zip(targets, sums, strict=True)
            ]
            for row in table:
                for column in columns:
                    row[column] *= factors[column]
                row_sum = sum(row)
                if row_sum:
                    for column in columns:
                        row[column] /= row_sum
        return table

    def contents(self, unit: Unit) -> list[tuple[int, float]]:
        """The contents of a cell that an enemy unit may be, each with its chance."""
        if unit.content is not None:
            return [(unit.content, 1.0)]
        row = self.chances[self.row_by_cell[unit.cell]]
        contents = []
        for rank, chance in zip(self.ranks, row, strict=True):
            if chance > 0.0:
                contents += self._contents_of_rank(unit, rank, chance)
        return contents

    def _contents_of_rank(self, unit: Unit, rank: Rank, chance: float) -> list[tuple[int, float]]:
        """The contents that a unit of a rank may be, each with its part of a chance."""
        key = (rank, unit.seat, unit.marked, self.evidence.depth(unit), unit.moved)
        shares = self._shares.get(key)
        if shares is None:
            shares = self._shares[key] = self._orientation_shares(unit, rank)
        return [(content, chance * share) for content, share in shares]

    def _orientation_shares(self, unit: Unit, rank: Rank) -> list[tuple[int, float]]:
        orientations = self.rules.stands_as(rank, marked=unit.marked)
        weigh = self.heuristics.orientation_weight
        last_row = max(1, len(self.rules.setup_rows(unit.raised_by)) - 1)
        row = min(1.0, self.evidence.depth(unit) / last_row)
        weights = [weigh(other, row, unit.moved) if weigh else 1.0 for other in orientations]
        total = sum(weights)
        return [
            (piece(unit.seat, self.rules.kinds[other], marked=unit.marked), weight / total)
            for other, weight in zip(orientations, weights, strict=True)
        ]

    def by_square(self) -> dict[str, dict[Rank, float]]:
        """The belief as plain data: by square of an enemy piece, the chance of each rank."""
        names = self.rules.board.names
        beliefs: dict[str, dict[Rank, float]] = {}
        for unit in (*self.known, *self.unknown):
            chances: dict[Rank, float] = {}
            for content, chance in self.contents(unit):
                rank = self.rules.rank_of(content)
                chances[rank] = round(chances.get(rank, 0.0) + chance, 4)
            beliefs[names[unit.cell]] = chances
        return beliefs

    # --- sampling

    def sample(self, rng: Random) -> dict[int, int]:
        """One possible enemy army: by cell of each enemy unit, its content.

        Ranks are placed one after the other, those that fit fewest units first, so that the counts
        are kept exactly.
        """
        free = list(range(len(self.unknown)))
        chosen: dict[int, Rank] = {}
        guarded: list[int] = []
        for column in self._strictest_first():
            rank = self.ranks[column]
            for _ in range(int(self.counts[column])):
                fitting = [row for row in free if self.weights[row][column] > 0.0]
                if not fitting or not self._takes_part(rank, rng):
                    break
                weights = [self.chances[row][column] + 1e-9 for row in fitting]
                if guarded and rank in self.heuristics.guard_ranks:
                    weights = [
                        weight
                        * (
                            NEXT_TO_GUARDED
                            if self._is_adjacent(row, guarded)
                            else NOT_NEXT_TO_GUARDED
                        )
                        for weight, row in zip(weights, fitting, strict=True)
                    ]
                row = rng.choices(fitting, weights)[0]
                free.remove(row)
                chosen[row] = rank
                if rank in self.heuristics.guarded_ranks:
                    guarded.append(self.unknown[row].cell)
        self._fill(free, chosen, rng)
        return self._oriented(chosen, rng)

    def _strictest_first(self) -> list[int]:
        """The columns of ranks: required ones first, then those that fit fewest units."""
        columns = range(len(self.ranks))
        fitting = [sum(row[column] > 0.0 for row in self.weights) for column in columns]
        optional = [rank not in self.heuristics.always_in_play for rank in self.ranks]
        return sorted(columns, key=lambda column: (optional[column], fitting[column]))

    def _takes_part(self, rank: Rank, rng: Random) -> bool:
        """Whether one more piece of a rank is in play: at random, where some are not."""
        out_of_play = sum(self.counts) - len(self.unknown)
        if out_of_play <= 0 or rank in self.heuristics.always_in_play:
            return True
        return rng.random() * sum(self.counts) >= out_of_play

    def _is_adjacent(self, row: int, cells: list[int]) -> bool:
        stride = self.rules.board.stride
        cell = self.unknown[row].cell
        return any(abs(cell - other) in (1, stride) for other in cells)

    def _fill(self, free: list[int], chosen: dict[int, Rank], rng: Random) -> None:
        """Choose any possible rank for the units that got none."""
        used = {rank: list(chosen.values()).count(rank) for rank in self.ranks}
        for row in free:
            weights = [
                self.chances[row][column] if used[rank] < self.counts[column] else 0.0
                for column, rank in enumerate(self.ranks)
            ]
            if not any(weights):
                weights = [weight + 1e-9 for weight in self.weights[row]]
            rank = rng.choices(self.ranks, weights)[0]
            chosen[row] = rank
            used[rank] += 1

    def _oriented(self, chosen: dict[int, Rank], rng: Random) -> dict[int, int]:
        """By cell, the contents of known units and of the chosen ranks."""
        sample = {unit.cell: unit.content for unit in self.known if unit.content is not None}
        for row, rank in sorted(chosen.items()):
            pairs = self._contents_of_rank(self.unknown[row], rank, 1.0)
            contents = [content for content, _ in pairs]
            weights = [chance for _, chance in pairs]
            sample[self.unknown[row].cell] = rng.choices(contents, weights)[0]
        return sample


def expected_counts(belief: RankBelief) -> Mapping[Rank, float]:
    """How many enemy pieces of each rank are expected on the board."""
    counts: dict[Rank, float] = {}
    for unit in (*belief.known, *belief.unknown):
        for content, chance in belief.contents(unit):
            rank = belief.rules.rank_of(content)
            counts[rank] = counts.get(rank, 0.0) + chance
    return counts
