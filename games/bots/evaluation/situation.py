"""Situation: beliefs, piece values and attack values of one seat at one turn, computed once."""

from functools import cache

from games.bots.belief.rank_belief import RankBelief
from games.bots.belief.tracked_units import TrackedUnits, Unit
from games.bots.boards.distances import adjacent_cells, distances
from games.bots.evaluation.approach_distances import ApproachDistances
from games.bots.evaluation.piece_values import DRAW_NEAR_PLIES, WIN, Chances, PieceValues
from games.bots.heuristics.base import heuristics_of
from games.bots.levels import MARSHAL, Level
from games.rules.core.basics.pieces import KIND
from games.rules.core.observation import Observation

FLAG_HOPE = 0.7  # the part of a likely win that counts, as several pieces hope for the same flag
SCOUTING_GAIN = 2.2  # of learning an unknown piece's rank, whatever it is
SECRECY_SHARE = 0.1  # of an unrevealed piece's value, lost when it is revealed
# A mobile flag attacks once no more than so many enemies are expected to beat it, or after so many
# plies without a battle.
MIN_FLAG_ATTACKERS = 0.5
CAUTIOUS_PLIES = 100
FLAG_RISK_COST = 1.0  # of an attack by it before then: times WIN and the chance to lose the match
# The gain of removing an enemy, by its steps from an own flag.
THREAT_BONUSES = (0.0, 40.0, 30.0, 20.0, 13.0, 8.0, 4.0)
CALM_PLIES = 24  # without a battle, after which removing enemies becomes worth more
IMPATIENCE = 0.1  # by so much a ply, and by the square of the plies times the next
IMPATIENCE_GROWTH = 0.004


class Situation:
    """One seat's units, beliefs and values at one turn.

    By cell of each enemy unit: `contents`, what it may be, and `expected_values`. `steps` are the
    distances between cells. `own_flags` are cells, `cells_around_flags` the cells next to them.
    """

    def __init__(
        self, units: TrackedUnits, observation: Observation, level: Level = MARSHAL
    ) -> None:
        self.level = level
        self.units = units
        self.rules = units.rules
        self.seat = units.seat
        self.observation = observation
        heuristics = self.heuristics = heuristics_of(self.rules.family)
        self.belief = RankBelief(units, heuristics, observation.ply, level)
        self.values = PieceValues(self.belief, heuristics, observation.quiet)
        self.enemies = units.enemies()
        self.own = units.own()
        self.contents = {unit.cell: self.belief.contents(unit) for unit in self.enemies}
        self.expected_values = {
            unit.cell: self.values.expected_value(self.contents[unit.cell]) for unit in self.enemies
        }
        self.flag_kinds = units.battles.flag_kinds
        self.steps = distances(self.rules.board)
        self.own_flags = [
            unit.cell for unit in self.own if (unit.content or 0) & KIND in self.flag_kinds
        ]
        self.guard_bonus = heuristics.guard_bonus if level.reads_conduct else 0.0
        self.cells_around_flags = {
            cell
            for flag in self.own_flags
            for cell in adjacent_cells(self.rules.board, flag)
            if cell in self.rules.board.cells
        }
        # Neither side can win any more; only a draw by a battle ends the match soon.
        self.is_dead = not self.values.can_win() and not self.values.can_lose()
        is_early = level.guards_flag and observation.quiet < CAUTIOUS_PLIES
        self.flag_stays_home = (
            is_early and self.values.expected_flag_attackers() > MIN_FLAG_ATTACKERS
        )
        self.threat_bonuses = self._threat_bonuses()
        self.approaches = ApproachDistances(units)
        self.blocker_bonuses = self._blocker_bonuses()
        waited = max(0, observation.quiet - CALM_PLIES)
        self.impatience = IMPATIENCE * waited + IMPATIENCE_GROWTH * waited * waited
        self.attack_value = cache(self._attack_value)

    def _threat_bonuses(self) -> dict[int, float]:
        """By cell of each enemy near an own flag, the gain of removing it."""
        bonuses = {}
        for enemy in self.enemies:
            steps = min(
                (self.steps[flag][enemy.cell] for flag in self.own_flags),
                default=len(THREAT_BONUSES),
            )
            if steps < len(THREAT_BONUSES) and (enemy.moved or enemy.content is not None):
                bonuses[enemy.cell] = THREAT_BONUSES[steps]
        return bonuses

    def _blocker_bonuses(self) -> dict[int, float]:
        """By cell, the extra value of removing an enemy that may shield a flag."""
        if self.units.battles.all_slide:
            return {}  # An attack from afar needs no cell next to the flag.
        flag_values = {
            enemy.cell: WIN
            * sum(
                chance
                for content, chance in self.contents[enemy.cell]
                if content & KIND in self.flag_kinds
            )
            for enemy in self.enemies
        }
        return self.approaches.blocker_bonuses(self.enemies, flag_values)

    # --- attacks

    def _attack_value(self, content: int, enemy: Unit) -> float:
        """What an own piece is expected to gain by attacking an enemy unit."""
        contents = self.contents[enemy.cell]
        gain = self.values.expected_gain(content, contents)
        if enemy.content is None:
            gain -= self._overrated_win(content, contents)
            scouting = self.heuristics.scouting_share * self.expected_values[enemy.cell]
            gain += SCOUTING_GAIN + scouting
        gain += self.threat_removal(content, enemy)
        removal = self.values.removal_chance(content, contents)
        if bonus := self.blocker_bonuses.get(enemy.cell):
            gain += bonus * removal
        if self.flag_stays_home and content & KIND in self.flag_kinds:
            gain -= FLAG_RISK_COST * WIN * self._loss_chance(content, contents)
        if self.observation.quiet < DRAW_NEAR_PLIES:
            removal -= self.values.draw_chance(content, contents)
        return gain + removal * self.impatience

    def _overrated_win(self, content: int, contents: Chances) -> float:
        """The part of a win's value that does not count, unless the win is nearly certain."""
        chance = self.win_chance(content, contents)
        return WIN * chance * (1 - FLAG_HOPE) if chance < 0.9 else 0.0

    def threat_removal(self, content: int, enemy: Unit) -> float:
        """What an own piece is expected to gain by removing an enemy from near an own flag."""
        bonus = self.threat_bonuses.get(enemy.cell, 0.0)
        if not bonus:
            return 0.0
        contents = self.contents[enemy.cell]
        removal = self.values.removal_chance(content, contents)
        return bonus * (removal - self.values.draw_chance(content, contents))

    def win_chance(self, content: int, contents: Chances) -> float:
        """The chance that an own attack wins the match."""
        flag_kinds, row = self.flag_kinds, self.values.gain_row(content)
        total = 0.0
        for other, chance in contents:
            if other & KIND in flag_kinds and row[other] >= WIN:
                total += chance
        return total

    def _loss_chance(self, content: int, contents: Chances) -> float:
        """The chance that an own attack loses the match."""
        row = self.values.gain_row(content)
        return sum(chance for other, chance in contents if row[other] <= -WIN)

    def secrecy_value(self, unit: Unit) -> float:
        """What is lost when the enemy learns an own unit's rank."""
        if unit.revealed or unit.content is None:
            return 0.0
        return SECRECY_SHARE * self.values.table[unit.content]
