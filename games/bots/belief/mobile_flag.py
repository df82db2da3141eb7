"""Staying: how likely what decides the match and can move, a 6-6, is a piece that has gone about.

Whoever has it keeps it near where it was set up, until few pieces are left, and strikes with it
what it is sure to beat.
"""

from games.bots.belief.tracked_units import Unit, Units
from games.rules.core.basics.pieces import Rank, Seat, piece

# How likely it is a piece that has moved, for one that has not: in the row where it was set up or
# behind it, and farther forward. In the end, by what is left of its army, the first is as likely.
NEAR = 0.2
AFIELD = 0.1
AFIELD_AT_LAST = 0.5
MANY_LEFT = 10  # of its army
FEW_LEFT = 4
SPARING = 0.3  # how likely it is one that has spared a known piece which it would have beaten
MOST_SPARED = 2  # after which more do not count


class Staying:
    """Weighs the units of the other side as what decides the match."""

    def __init__(self, units: Units) -> None:
        self.units = units
        self.rules = units.rules
        self.ranks = units.battles.deciders
        left = (len(units.enemies()) - FEW_LEFT) / (MANY_LEFT - FEW_LEFT)
        many = max(0.0, min(1.0, left))
        self.near = 1 - many * (1 - NEAR)
        self.afield = AFIELD_AT_LAST - many * (AFIELD_AT_LAST - AFIELD)

    def weight(self, unit: Unit, rank: Rank) -> float:
        """How well a piece goes with a rank that decides the match, by what it has done."""
        weight = 1.0
        if unit.moved:
            weight = self.afield if self._forward(unit) > 0 else self.near
        return weight * SPARING ** min(MOST_SPARED, self._spared(unit, rank))

    def _forward(self, unit: Unit) -> int:
        """How many rows it has come toward the other side."""
        stride = self.rules.board.stride
        rows = unit.cell // stride - unit.start // stride
        return rows if unit.raised_by is Seat.SOUTH else -rows

    def _spared(self, unit: Unit, rank: Rank) -> int:
        """How many times it has left alone what it would have beaten."""
        mine = piece(unit.seat, self.rules.kinds[rank], marked=unit.marked)
        times = 0
        for known in unit.spared:
            clash = self.units.battles.clash(mine, known)
            times += not clash.behind and clash.ahead == mine
        return times
