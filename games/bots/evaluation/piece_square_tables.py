"""Piece-square tables: how well each own piece stands on each cell, by what it could attack."""

from functools import cache

from games.bots.belief.tracked_units import Unit
from games.bots.boards.distances import UNREACHABLE, adjacent_cells
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.pieces import KIND

ATTRACTION = 0.26  # the part of an attack's value that counts one step away from its target
DECAY = 0.8  # the factor of each further step
THREAT_ATTRACTION = 0.2  # the same two for the value of removing an enemy near the own flag,
THREAT_DECAY = 0.9  # which attracts pieces from farther away
MIN_GAIN = 0.3  # of an attack that attracts
MAX_TARGETS = 10
SECOND_SHARE = 0.25  # what the second best target counts, next to the best
# How likely a mobile enemy has moved away before a piece gets to it: one that has moved or is
# known, and any other.
ESCAPE = 0.45
ESCAPE_OF_UNMOVED = 0.15

# By the steps to the target.
ATTRACTIONS = tuple(ATTRACTION * DECAY ** max(0, steps - 1) for steps in range(UNREACHABLE + 1))
THREAT_ATTRACTIONS = tuple(
    THREAT_ATTRACTION * THREAT_DECAY ** max(0, steps - 1) for steps in range(UNREACHABLE + 1)
)


class PieceSquareTables:
    """The tables of one situation, each made at its first use."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.approaches = situation.approaches
        # A piece that attacks from afar has no need to come near.
        self.all_slide = situation.units.battles.all_slide
        self.escape_chances = {unit.cell: self._escape_chance(unit) for unit in situation.enemies}
        self.table = cache(self._table)

    def with_piece_values(self) -> list[list[float]]:
        """By content and cell, the piece's value plus how well it stands there."""
        situation = self.situation
        values = situation.values.table
        tables = [[value] * situation.rules.board.size for value in values]
        for content in sorted({unit.content for unit in situation.own if unit.content}):
            tables[content] = [values[content] + square for square in self.table(content)]
        return tables

    def best_neighbour_gain(self, cell: int, leaving: int) -> float:
        """How much better an adjacent own piece would stand on a cell: the one that gains most.

        The piece on the cell `leaving` is left out, as it is about to move.
        """
        situation = self.situation
        best = 0.0
        for other in adjacent_cells(situation.rules.board, cell):
            unit = situation.units.at.get(other)
            if unit is None or other == leaving or unit.seat is not situation.seat:
                continue
            if situation.rules.rank_of(unit.content or 0) in situation.units.battles.mobile:
                table = self.table(unit.content or 0)
                best = max(best, table[cell] - table[other])
        return best

    def _escape_chance(self, enemy: Unit) -> float:
        """How likely an enemy is gone before a piece gets to it, which takes several turns."""
        situation = self.situation
        if self.all_slide:
            return 0.0
        mobile, rank_of = situation.units.battles.mobile, situation.rules.rank_of
        contents = situation.contents[enemy.cell]
        chance = sum(chance for content, chance in contents if rank_of(content) in mobile)
        is_active = enemy.moved or enemy.content is not None
        return chance * (ESCAPE if is_active else ESCAPE_OF_UNMOVED)

    def _targets(self, content: int) -> list[tuple[float, float, int]]:
        """The best targets of a piece: the attack's value, the part of a threat removed, cell."""
        situation = self.situation
        if situation.flag_stays_home and content & KIND in situation.flag_kinds:
            return []
        targets = [
            (
                situation.attack_value(content, enemy) * (1 - self.escape_chances[enemy.cell]),
                situation.threat_removal(content, enemy),
                enemy.cell,
            )
            for enemy in situation.enemies
            if self.all_slide or self.approaches.is_reachable(enemy.cell)
        ]
        return sorted((target for target in targets if target[0] > MIN_GAIN), reverse=True)[
            :MAX_TARGETS
        ]

    def _table(self, content: int) -> list[float]:
        """By cell, how well an own piece stands there."""
        situation = self.situation
        targets = [
            (
                gain,
                threat,
                situation.steps[cell] if self.all_slide else self.approaches.steps_to(cell),
            )
            for gain, threat, cell in self._targets(content)
        ]
        table = [0.0] * situation.rules.board.size
        for cell in situation.rules.board.cells:
            best = second = 0.0
            for gain, threat, steps_from in targets:
                steps = steps_from[cell]
                value = gain * ATTRACTIONS[steps]
                if threat:
                    value += threat * THREAT_ATTRACTIONS[steps]
                if value > best:
                    best, second = value, best
                elif value > second:
                    second = value
            table[cell] = best + SECOND_SHARE * second
        for cell in situation.cells_around_flags:
            table[cell] += situation.guard_bonus
        return table
