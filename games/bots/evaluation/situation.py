"""Situation: everything that one answer of a hidden game is worked out from, made once a turn."""

from games.bots.belief.rank_belief import Belief
from games.bots.belief.tracked_units import Unit, Units
from games.bots.boards.distances import beside, distances
from games.bots.evaluation.approach_distances import Ways
from games.bots.evaluation.piece_values import DRAW_NEAR_PLIES, WIN, Values
from games.bots.heuristics.base import habits_of
from games.rules.core.basics.pieces import KIND
from games.rules.core.observation import Observation

FLAG_HOPE = 0.7  # of a win that is only likely, since many hope for the same flag
CURIOSITY = 2.2  # what an unknown piece's name is worth by itself
SECRECY_SHARE = 0.1  # of an untold piece's worth, lost when it is told
# What decides the match goes for enemies itself once no more than so many of them are expected to
# be able to take it, or after so many plies without a battle.
FEWEST_TAKERS = 0.5
CAUTIOUS_PLIES = 100
CAUTION = 1.0  # of a win, that it risks beside it if what decides the match attacks itself
# By steps from an enemy to the piece to be kept, how much is gained by removing that enemy.
ALARMS = (0.0, 40.0, 30.0, 20.0, 13.0, 8.0, 4.0)
CALM_PLIES = 24  # without a battle, until attacks begin to look better
UNREST = 0.1  # by which they do so each ply, and by how much this grows with each
UNREST_GROWTH = 0.004


class Situation:
    """One seat's units, beliefs and values at one moment."""

    def __init__(
        self,
        units: Units,
        observation: Observation,
        *,
        keen: bool = True,
        cautious: bool = True,
    ) -> None:
        self.units = units
        self.rules = units.rules
        self.seat = units.seat
        self.observation = observation
        habits = self.habits = habits_of(self.rules.family)
        self.belief = Belief(units, habits, observation.ply, keen=keen)
        self.values = Values(self.belief, habits, observation.quiet)
        self.enemies = units.enemies()
        self.own = units.own()
        self.contents = {unit.cell: self.belief.contents(unit) for unit in self.enemies}
        self.worths = {
            unit.cell: self.values.worth_of(self.contents[unit.cell]) for unit in self.enemies
        }
        self.crowns = units.battles.crowns
        self.far = distances(self.rules.board)
        self.kept = [unit.cell for unit in self.own if (unit.content or 0) & KIND in self.crowns]
        self.cover = habits.cover if keen else 0.0
        self.beside = {
            cell
            for kept in self.kept
            for cell in beside(self.rules.board, kept)
            if cell in self.rules.board.cells
        }
        # Where neither side can win any more, nothing but a draw by a battle ends the match soon.
        self.dead = not self.values.hopeful() and not self.values.beatable()
        # Whether what decides the match stays out of battles, as long as one without it may come.
        careful = cautious and observation.quiet < CAUTIOUS_PLIES
        self.stays_home = careful and self.values.takers() > FEWEST_TAKERS
        self.alarms = self._alarms()
        self.ways = Ways(units)
        self.openings = self._openings()
        waited = max(0, observation.quiet - CALM_PLIES)
        self.unrest = UNREST * waited + UNREST_GROWTH * waited * waited
        self._attacks: dict[tuple[int, int], tuple[float, float]] = {}

    def _alarms(self) -> dict[int, float]:
        """For each mobile enemy near a piece that decides the match, how much that alarms."""
        alarms = {}
        for foe in self.enemies:
            near = min((self.far[cell][foe.cell] for cell in self.kept), default=len(ALARMS))
            if near < len(ALARMS) and (foe.moved or foe.content is not None):
                alarms[foe.cell] = ALARMS[near]
        return alarms

    def _openings(self) -> dict[int, float]:
        """By cell, how much more an enemy is worth for what decides the match behind it."""
        if self.units.battles.far_strikes:
            return {}  # Whoever strikes from afar need not stand beside it.
        wanted = {
            foe.cell: WIN
            * sum(chance for one, chance in self.contents[foe.cell] if one & KIND in self.crowns)
            for foe in self.enemies
        }
        return self.ways.openings(self.enemies, wanted)

    # --- attacks

    def attack(self, content: int, foe: Unit) -> float:
        """What attacking an enemy piece is worth to an own piece standing as `content`."""
        key = (content, foe.cell)
        found = self._attacks.get(key)
        if found is None:
            contents = self.contents[foe.cell]
            gain = self.values.expected(content, contents)
            if foe.content is None:
                gain -= self._hoped(content, contents)
                gain += CURIOSITY + self.habits.curiosity * self.worths[foe.cell]
            gain += self.alarm(content, foe)
            if opening := self.openings.get(foe.cell):
                gain += opening * self.values.removal(content, contents)
            if self.stays_home and content & KIND in self.crowns:
                gain -= CAUTION * WIN * self._ruin(content, contents)
            removed = self.values.removal(content, contents)
            if self.observation.quiet < DRAW_NEAR_PLIES:  # Until then that is no way out of one.
                removed -= self.values.drawing(content, contents)
            self._attacks[key] = found = gain, removed
        gain, removed = found
        return gain + removed * self.unrest

    def _hoped(self, content: int, contents: list[tuple[int, float]]) -> float:
        """The part of an expectation that is mere hope for the piece that ends the game."""
        chance = self.crown_chance(content, contents)
        return WIN * chance * (1 - FLAG_HOPE) if chance < 0.9 else 0.0

    def alarm(self, content: int, foe: Unit) -> float:
        """What is gained by removing an enemy because of where it stands."""
        alarm = self.alarms.get(foe.cell, 0.0)
        if not alarm:
            return 0.0
        contents = self.contents[foe.cell]
        removed = self.values.removal(content, contents)
        return alarm * (removed - self.values.drawing(content, contents))

    def crown_chance(self, content: int, contents: list[tuple[int, float]]) -> float:
        """The chance that an attack ends the game in favour of this seat."""
        crowns, row = self.crowns, self.values.swings_of(content)
        chance = 0.0
        for one, likely in contents:
            if one & KIND in crowns and row[one] >= WIN:
                chance += likely
        return chance

    def _ruin(self, content: int, contents: list[tuple[int, float]]) -> float:
        """The chance that an attack loses the game."""
        row = self.values.swings_of(content)
        return sum(chance for one, chance in contents if row[one] <= -WIN)

    def secrecy(self, unit: Unit) -> float:
        """What is lost when the enemy learns an own piece's rank."""
        if unit.told or unit.content is None:
            return 0.0
        return SECRECY_SHARE * self.values.table[unit.content]
