"""Rank evidence: weights for the rank of an enemy piece, by its place, moves and neighbours."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp

from games.bots.belief.mobile_flag import MobileFlagEvidence
from games.bots.belief.tracked_units import TrackedUnits, Unit
from games.bots.boards.battle_tables import BattleTables
from games.bots.boards.distances import adjacent_cells
from games.bots.heuristics.base import Heuristics
from games.bots.levels import Level
from games.rules.core.basics.pieces import Rank, Seat, piece

DOUBLING_PLIES = 80  # after so many, a piece that never moved is twice as likely immobile
# A piece that comes from far away right up to a known one of value REFERENCE_VALUE is likelier to
# beat it by a factor of e to the power of APPROACH_EXPONENT.
APPROACH_EXPONENT = 4.0
NEARNESS = 0.7  # the factor of each step between the two
REFERENCE_VALUE = 20.0
MAX_RELATIVE_VALUE = 4.0
MAX_EXPONENT = 3.0  # of all approaches and retreats together
RECENT_APPROACHES = 40
# The weight of a guarded rank without immobile guards around it, and what is added if there is
# nothing else around it.
UNGUARDED = 0.15
GUARDED = 6.0
GUARDING = 6.0  # what is added to the weight of a guard that surely stands next to a guarded rank


class RankEvidence:
    """Weighs the ranks that the unidentified units of the enemy may have."""

    def __init__(
        self,
        units: TrackedUnits,
        heuristics: Heuristics,
        ranks: Sequence[Rank],
        ply: int,
        level: Level,
    ) -> None:
        self.units = units
        self.rules = units.rules
        self.battles: BattleTables = units.battles
        self.heuristics = heuristics
        self.ranks = ranks
        self.ply = ply
        self.reads_conduct = level.reads_conduct
        self._row_depths = [self._depth_by_row(seat) for seat in Seat]
        self._full_army = {troop.rank: float(troop.number) for troop in self.rules.army}
        self._target_value = cache(self._relative_value)
        self._guarded = set(heuristics.guarded_ranks)
        self._mobile_flag = MobileFlagEvidence(units)
        self._guards = set(heuristics.guard_ranks) - set(self.battles.mobile)

    # --- of a single unit

    def weights(self, unit: Unit) -> list[float]:
        """By rank, how well it fits a unit; 0 where it is impossible."""
        return [self._weight(unit, rank) for rank in self.ranks]

    def _weight(self, unit: Unit, rank: Rank) -> float:
        if rank not in unit.ranks:
            return 0.0
        orientations = self.rules.stands_as(rank, marked=unit.marked)
        if not orientations:
            return 0.0
        mobile = any(orientation in self.battles.mobile for orientation in orientations)
        if not mobile and unit.moved:
            return 0.0
        weight = self._row_weight(unit, rank)
        if not self.reads_conduct:
            return weight
        if rank in self._mobile_flag.ranks:
            return weight * self._mobile_flag.weight(unit, rank)
        if not mobile:
            return weight * (1 + self.ply / DOUBLING_PLIES)
        if unit.approaches:
            weight *= self._approach_factor(unit, orientations[0])
        return weight

    def _approach_factor(self, unit: Unit, rank: Rank) -> float:
        """How well a rank fits the known pieces that a unit went nearer to or away from."""
        content = piece(unit.seat, self.rules.kinds[rank], marked=unit.marked)
        exponent = 0.0
        for target, before, after in unit.approaches[-RECENT_APPROACHES:]:
            result = self.battles.battle(content, target)
            if not result.at_source and result.at_target == content:
                exponent += self._target_value(target) * (NEARNESS**after - NEARNESS**before)
        return exp(max(-MAX_EXPONENT, min(MAX_EXPONENT, APPROACH_EXPONENT * exponent)))

    def _relative_value(self, content: int) -> float:
        """The value of a piece in a match of complete armies, by REFERENCE_VALUE."""
        piece_value = self.heuristics.piece_value
        rank, army = self.rules.rank_of(content), self._full_army
        value = piece_value(rank, False, army, army) if piece_value else REFERENCE_VALUE
        return min(MAX_RELATIVE_VALUE, value / REFERENCE_VALUE)

    def _row_weight(self, unit: Unit, rank: Rank) -> float:
        weights = self.heuristics.row_weights.get(rank)
        if not weights:
            return 1.0
        depth = self.depth(unit)
        return weights[depth] if depth < len(weights) else 1.0

    def depth(self, unit: Unit) -> int:
        """The row in which a unit was set up, 0 in front; the number of rows if not in its zone."""
        depths = self._row_depths[unit.raised_by]
        return depths.get(unit.start // self.rules.board.stride + 1, len(depths))

    def _depth_by_row(self, seat: Seat) -> dict[int, int]:
        rows = sorted(self.rules.setup_rows(seat), reverse=seat is Seat.SOUTH)
        return {row: depth for depth, row in enumerate(rows)}

    # --- of neighbours

    def with_neighbours(
        self, unknown: Sequence[Unit], weights: list[list[float]], chances: list[list[float]]
    ) -> list[list[float]] | None:
        """The weights of unknown units, changed by what stands next to them; None if unchanged.

        `weights` and `chances` have a row for each unit and a column for each rank; `chances` are
        the beliefs without neighbours.
        """
        if not self.reads_conduct or not self._guards:
            return None
        row_by_cell = {unit.cell: row for unit, row in zip(unknown, chances, strict=True)}
        return [
            list(row) if unit.moved else self._guard_weights(unit, row, row_by_cell)
            for unit, row in zip(unknown, weights, strict=True)
        ]

    def _guard_weights(
        self, unit: Unit, weights: list[float], row_by_cell: Mapping[int, list[float]]
    ) -> list[float]:
        """The weights of a unit that has not moved."""
        neighbours = list(self._neighbour_chances(unit, row_by_cell))
        enclosed = sum(guard for guard, _ in neighbours) / len(neighbours)
        guarded = sum(guarded for _, guarded in neighbours)
        changed = []
        for rank, weight in zip(self.ranks, weights, strict=True):
            if rank in self._guarded:
                changed.append(weight * (UNGUARDED + GUARDED * enclosed * enclosed))
            else:
                is_guard = rank in self._guards
                changed.append(weight * (1 + GUARDING * guarded) if is_guard else weight)
        return changed

    def _neighbour_chances(
        self, unit: Unit, row_by_cell: Mapping[int, list[float]]
    ) -> Iterator[tuple[float, float]]:
        """By adjacent cell, the chances of a guard there, and of a guarded piece."""
        board = self.rules.board
        for cell in adjacent_cells(board, unit.cell):
            neighbour = self.units.at.get(cell)
            if cell in row_by_cell:
                yield (
                    self._chance(row_by_cell[cell], self._guards),
                    self._chance(row_by_cell[cell], self._guarded),
                )
            elif neighbour and neighbour.seat is unit.seat and neighbour.content is not None:
                rank = self.rules.rank_of(neighbour.content)
                yield float(rank in self._guards), float(rank in self._guarded)
            elif cell in board.cells:
                yield 0.0, 0.0

    def _chance(self, chances: list[float], ranks: set[Rank]) -> float:
        return sum(
            chance for rank, chance in zip(self.ranks, chances, strict=True) if rank in ranks
        )
