"""Approach distances: steps to each enemy around immobile pieces, and the value of its blockers."""

from collections.abc import Iterable, Mapping
from functools import cache

from games.bots.belief.tracked_units import TrackedUnits, Unit
from games.bots.boards.distances import adjacent_cells, distances_to

BLOCKER_SHARE = 0.3  # of the value of attacking an unreachable enemy, added to each one next to it
MAX_LAYERS = 2  # of blockers, one behind the other


class ApproachDistances:
    """Paths on one board, around pieces that cannot move and unknown ones that never did."""

    def __init__(self, units: TrackedUnits) -> None:
        self.board = units.rules.board
        self.passable = set(self.board.cells) - {
            unit.cell for unit in units.at.values() if _is_obstacle(units, unit)
        }
        self.steps_to = cache(self._steps_to)

    def is_reachable(self, cell: int) -> bool:
        """Whether a piece can stand next to a cell."""
        return any(other in self.passable for other in adjacent_cells(self.board, cell))

    def _steps_to(self, target: int) -> list[int]:
        """By cell, the steps from it to a target."""
        return distances_to(self.board, target, self.passable)

    def blocker_bonuses(
        self, enemies: Iterable[Unit], values: Mapping[int, float]
    ) -> dict[int, float]:
        """By cell, the extra value of removing an enemy that shields another.

        `values` says by cell what attacking the enemy there is worth.
        """
        unreachable = {unit.cell for unit in enemies if not self.is_reachable(unit.cell)}
        bonuses: dict[int, float] = {}
        for _ in range(MAX_LAYERS):
            layer: dict[int, float] = {}
            for cell in sorted(unreachable):
                bonus = BLOCKER_SHARE * (values[cell] + bonuses.get(cell, 0.0))
                for other in adjacent_cells(self.board, cell):
                    if bonus and other in values:
                        layer[other] = max(layer.get(other, 0.0), bonus)
            bonuses = layer
        return bonuses


def _is_obstacle(units: TrackedUnits, unit: Unit) -> bool:
    if unit.content is None:
        return not unit.moved
    return units.rules.rank_of(unit.content) not in units.battles.mobile
