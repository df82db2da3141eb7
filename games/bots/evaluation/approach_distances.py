"""Ways: how near pieces can come to an enemy, and what stands in front of the one they want."""

from collections.abc import Iterable, Mapping

from games.bots.belief.tracked_units import Unit, Units
from games.bots.boards.distances import beside, steps_to

# What hangs on an enemy that nobody can get at, as a share of what it is worth to take it: so much
# more is each worth that stands beside it.
OPENING = 0.3
RINGS = 2  # how many may stand one behind the other


class Ways:
    """The ways over the board of one moment, around pieces that never move or never did."""

    def __init__(self, units: Units) -> None:
        self.board = units.rules.board
        self.passable = set(self.board.cells) - {
            unit.cell for unit in units.at.values() if _stays(units, unit)
        }
        self._steps: dict[int, list[int]] = {}

    def is_open(self, cell: int) -> bool:
        """Whether a piece can come to stand beside a cell."""
        return any(other in self.passable for other in beside(self.board, cell))

    def steps_to(self, target: int) -> list[int]:
        """For each cell the steps from it to a target."""
        found = self._steps.get(target)
        if found is None:
            found = self._steps[target] = steps_to(self.board, target, self.passable)
        return found

    def openings(self, enemies: Iterable[Unit], wanted: Mapping[int, float]) -> dict[int, float]:
        """By cell, how much more an enemy is worth for what can be got at once it is gone.

        `wanted` says by cell what it is worth to take the enemy there.
        """
        closed = {unit.cell for unit in enemies if not self.is_open(unit.cell)}
        openings: dict[int, float] = {}
        for _ in range(RINGS):
            found: dict[int, float] = {}
            for cell in sorted(closed):
                hope = OPENING * (wanted[cell] + openings.get(cell, 0.0))
                for other in beside(self.board, cell):
                    if hope and other in wanted:
                        found[other] = max(found.get(other, 0.0), hope)
            openings = found
        return openings


def _stays(units: Units, unit: Unit) -> bool:
    if unit.content is None:
        return not unit.moved
    return units.rules.rank_of(unit.content) not in units.battles.mobile
