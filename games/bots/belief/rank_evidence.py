"""Evidence: what a single enemy piece shows of its rank by where it stands and what it has done."""

from collections.abc import Iterator, Mapping, Sequence
from math import exp

from games.bots.belief.mobile_flag import Staying
from games.bots.belief.tracked_units import Unit, Units
from games.bots.boards.battle_tables import Battles
from games.bots.boards.distances import beside
from games.bots.heuristics.base import Habits
from games.rules.core.basics.pieces import Rank, Seat, piece

PATIENCE_PLIES = 80  # after so many plies a piece that never moved is twice as likely immobile
# How much likelier a piece beats a known one that it has gone nearer to: e to the power of ZEAL,
# if it has come from far away right up to one that is worth a PRIZE.
ZEAL = 4.0
NEARNESS = 0.7  # of what is left of that at each step from it
PRIZE = 20.0
BIGGEST_PRIZE = 4.0  # as many times that at most
MOST_ZEAL = 3.0  # at most, for all that it has gone nearer to or farther from
RECENT_APPROACHES = 40
# How much likelier what decides the match stands behind those that guard it and never move: the
# first without any of them around it, both with nothing else around it.
UNGUARDED = 0.15
GUARDED = 6.0
GUARDING = 6.0  # how much likelier a piece guards it that surely stands beside it


class Evidence:
    """Weighs the ranks that the unidentified pieces of the other side may have."""

    def __init__(
        self, units: Units, habits: Habits, ranks: Sequence[Rank], ply: int, *, keen: bool
    ) -> None:
        self.units = units
        self.rules = units.rules
        self.battles: Battles = units.battles
        self.habits = habits
        self.ranks = ranks
        self.ply = ply
        self.keen = keen
        self._depths = [self._rows(seat) for seat in Seat]
        self._army = {troop.rank: float(troop.number) for troop in self.rules.army}
        self._prizes: dict[int, float] = {}
        self._guarded = set(habits.guarded)
        self._staying = Staying(units)
        self._guards = set(habits.guards) - set(self.battles.mobile)

    # --- by itself

    def weights(self, unit: Unit) -> list[float]:
        """For each rank how well it goes with what a piece has shown; 0 if it cannot be."""
        return [self._weight(unit, rank) for rank in self.ranks]

    def _weight(self, unit: Unit, rank: Rank) -> float:
        if rank not in unit.ranks:
            return 0.0
        standing = self.rules.stands_as(rank, marked=unit.marked)
        if not standing:
            return 0.0
        mobile = any(one in self.battles.mobile for one in standing)
        if not mobile and unit.moved:
            return 0.0
        weight = self._habit(unit, rank)
        if not self.keen:
            return weight
        if rank in self._staying.ranks:
            return weight * self._staying.weight(unit, rank)
        if not mobile:
            return weight * (1 + self.ply / PATIENCE_PLIES)
        if unit.approaches:
            weight *= self._zeal(unit, standing[0])
        return weight

    def _zeal(self, unit: Unit, rank: Rank) -> float:
        """How well a rank goes with the known pieces that a piece has gone nearer to."""
        mine = piece(unit.seat, self.rules.kinds[rank], marked=unit.marked)
        zeal = 0.0
        for content, before, after in unit.approaches[-RECENT_APPROACHES:]:
            clash = self.battles.clash(mine, content)
            if not clash.behind and clash.ahead == mine:
                zeal += self._prize(content) * (NEARNESS**after - NEARNESS**before)
        return exp(max(-MOST_ZEAL, min(MOST_ZEAL, ZEAL * zeal)))

    def _prize(self, content: int) -> float:
        """How much a piece is worth going for, when all armies are whole."""
        found = self._prizes.get(content)
        if found is None:
            worth = self.habits.worth
            rank = self.rules.rank_of(content)
            value = worth(rank, False, self._army, self._army) if worth else PRIZE
            found = self._prizes[content] = min(BIGGEST_PRIZE, value / PRIZE)
        return found

    def _habit(self, unit: Unit, rank: Rank) -> float:
        rows = self.habits.rows.get(rank)
        if not rows:
            return 1.0
        row = self.depth(unit)
        return rows[row] if row < len(rows) else 1.0

    def depth(self, unit: Unit) -> int:
        """The row in which a piece was set up, 0 in front; beyond them if it was not seen there."""
        rows = self._depths[unit.raised_by]
        return rows.get(unit.start // self.rules.board.stride + 1, len(rows))

    def _rows(self, seat: Seat) -> dict[int, int]:
        """For each row of a set-up its number from the front."""
        rows = sorted(self.rules.setup_rows(seat), reverse=seat is Seat.SOUTH)
        return {row: depth for depth, row in enumerate(rows)}

    # --- by what stands beside it

    def guarding(
        self, unknown: Sequence[Unit], weights: list[list[float]], likely: list[list[float]]
    ) -> list[list[float]] | None:
        """The weights of `unknown`, a row each, with who stands beside whom; None if it is nothing.

        `likely` is how likely each of them is of each rank by its own weights.
        """
        if not self.keen or not self._guards:
            return None
        rows = {unit.cell: row for unit, row in zip(unknown, likely, strict=True)}
        return [
            list(plain) if unit.moved else self._among(unit, plain, rows)
            for unit, plain in zip(unknown, weights, strict=True)
        ]

    def _among(
        self, unit: Unit, plain: list[float], rows: Mapping[int, list[float]]
    ) -> list[float]:
        """The weights of a piece that has not moved, with what stands beside it."""
        around = list(self._around(unit, rows))
        enclosed = sum(guards for guards, _ in around) / len(around)
        guarded = sum(guarded for _, guarded in around)
        told = []
        for rank, weight in zip(self.ranks, plain, strict=True):
            if rank in self._guarded:
                told.append(weight * (UNGUARDED + GUARDED * enclosed * enclosed))
            else:
                told.append(weight * (1 + GUARDING * guarded) if rank in self._guards else weight)
        return told

    def _around(self, unit: Unit, rows: Mapping[int, list[float]]) -> Iterator[tuple[float, float]]:
        """For each cell around it how likely one that guards stands there, and a guarded one."""
        board = self.rules.board
        for cell in beside(board, unit.cell):
            one = self.units.at.get(cell)
            if cell in rows:
                yield (
                    self._chance(rows[cell], self._guards),
                    self._chance(rows[cell], self._guarded),
                )
            elif one and one.seat is unit.seat and one.content is not None:
                rank = self.rules.rank_of(one.content)
                yield float(rank in self._guards), float(rank in self._guarded)
            elif cell in board.cells:
                yield 0.0, 0.0

    def _chance(self, chances: list[float], ranks: set[Rank]) -> float:
        return sum(
            chance for rank, chance in zip(self.ranks, chances, strict=True) if rank in ranks
        )
