"""Evidence on a flag that can move, such as the 6-6 of domino: how likely a piece is one.

A player keeps it near where it was set up until few pieces are left, and attacks with it whatever
it surely beats.
"""

from games.bots.belief.tracked_units import TrackedUnits, Unit
from games.rules.core.basics.pieces import Rank, Seat, piece

# The weight of a piece that has moved, where one that has not counts 1: in its set-up row or
# behind it, and in front of it. The smaller its army, the closer the first comes to 1.
MOVED = 0.2
ADVANCED = 0.1
ADVANCED_AT_LAST = 0.5
MANY_LEFT = 10  # pieces of its army
FEW_LEFT = 4
SPARED = 0.3  # the factor for each time it spared a known piece that it would have beaten
MAX_SPARED = 2


class MobileFlagEvidence:
    """Weighs the units of the enemy as mobile flags."""

    def __init__(self, units: TrackedUnits) -> None:
        self.units = units
        self.rules = units.rules
        self.ranks = units.battles.mobile_flags
        left = (len(units.enemies()) - FEW_LEFT) / (MANY_LEFT - FEW_LEFT)
        many = max(0.0, min(1.0, left))
        self.moved = 1 - many * (1 - MOVED)
        self.advanced = ADVANCED_AT_LAST - many * (ADVANCED_AT_LAST - ADVANCED)

    def weight(self, unit: Unit, rank: Rank) -> float:
        """How well what a unit has done fits a mobile flag of this rank."""
        weight = 1.0
        if unit.moved:
            weight = self.advanced if self._rows_advanced(unit) > 0 else self.moved
        return weight * SPARED ** min(MAX_SPARED, self._times_spared(unit, rank))

    def _rows_advanced(self, unit: Unit) -> int:
        stride = self.rules.board.stride
        rows = unit.cell // stride - unit.start // stride
        return rows if unit.raised_by is Seat.SOUTH else -rows

    def _times_spared(self, unit: Unit, rank: Rank) -> int:
        """How often it did not attack an adjacent piece that this rank would have beaten."""
        content = piece(unit.seat, self.rules.kinds[rank], marked=unit.marked)
        times = 0
        for spared in unit.spared:
            result = self.units.battles.battle(content, spared)
            times += not result.at_source and result.at_target == content
        return times
