"""Situation: everything that one answer of a hidden game is worked out from, made once a turn."""

from games.bots.brains.belief import Belief
from games.bots.brains.distance import FAR, distances
from games.bots.brains.habits import habits_of
from games.bots.brains.units import Unit, Units
from games.bots.brains.values import WIN, Values
from games.rules.core.observation import Observation
from games.rules.core.pieces import KIND

PULL = 0.26  # of what an attack would bring, felt one step away from its target
FADING = 0.8  # of the pull that is left at each further step
FLAG_HOPE = 0.7  # of a win that is only likely, since many hope for the same flag
CURIOSITY = 2.2  # what an unknown piece's name is worth by itself
CURIOSITY_SHARE = 0.08  # of what the piece is expected to be worth, beside
SECRECY_SHARE = 0.1  # of an untold piece's worth, lost when it is told
CAUTIOUS_PLIES = 100  # without a battle, after which what decides the match goes for enemies itself
CAUTION = 1.0  # of a win, that it risks beside it if what decides the match attacks itself
# How likely an enemy that can move has gone when a piece has come for it: one that has moved or is
# known, and another.
FLIGHT = 0.45
FLIGHT_OF_STILL = 0.15
# By steps from an enemy to the piece to be kept, how much is gained by removing that enemy.
ALARMS = (0.0, 40.0, 30.0, 20.0, 13.0, 8.0, 4.0)
ALARM_PULL = 0.2  # as PULL and FADING, for an enemy that alarms: it is gone for from farther away
ALARM_FADING = 0.9
CALM_PLIES = 24  # without a battle, until attacks begin to look better
UNREST = 0.1  # by which they do so each ply, and by how much this grows with each
UNREST_GROWTH = 0.004

PULLS = tuple(PULL * FADING**steps for steps in range(FAR + 1))
ALARM_PULLS = tuple(ALARM_PULL * ALARM_FADING**steps for steps in range(FAR + 1))


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
        habits = habits_of(self.rules.family)
        self.belief = Belief(units, habits, observation.ply, keen=keen)
        self.values = Values(self.belief, habits, observation.quiet)
        self.enemies = units.enemies()
        self.own = units.own()
        self.contents = {unit.cell: self.belief.contents(unit) for unit in self.enemies}
        self.crowns = units.battles.crowns
        self.far = distances(self.rules.board)
        self.kept = [unit.cell for unit in self.own if (unit.content or 0) & KIND in self.crowns]
        self.cover = habits.cover if keen else 0.0
        self.beside = {
            cell
            for kept in self.kept
            for cell in self.rules.board.cells
            if self.far[kept][cell] == 1
        }
        # Whether what decides the match stays out of battles, as long as one without it may come.
        self.cautious = cautious and observation.quiet < CAUTIOUS_PLIES
        self.alarms = self._alarms()
        self.flights = {unit.cell: self._flight(unit) for unit in self.enemies}
        waited = max(0, observation.quiet - CALM_PLIES)
        self.unrest = UNREST * waited + UNREST_GROWTH * waited * waited
        self._attacks: dict[tuple[int, int], tuple[float, float]] = {}
        self._fields: dict[int, list[float]] = {}

    def _alarms(self) -> dict[int, float]:
        """For each mobile enemy near a piece that decides the match, how much that alarms."""
        alarms = {}
        for foe in self.enemies:
            near = min((self.far[cell][foe.cell] for cell in self.kept), default=len(ALARMS))
            if near < len(ALARMS) and (foe.moved or foe.content is not None):
                alarms[foe.cell] = ALARMS[near]
        return alarms

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
                gain += CURIOSITY + CURIOSITY_SHARE * self.values.worth_of(foe, contents)
            gain += self._alarm(content, foe)
            if self.cautious and content & KIND in self.crowns:
                gain -= CAUTION * WIN * self._ruin(content, contents)
            self._attacks[key] = found = gain, self.values.removal(content, contents)
        gain, removed = found
        return gain + removed * self.unrest

    def _hoped(self, content: int, contents: list[tuple[int, float]]) -> float:
        """The part of an expectation that is mere hope for the piece that ends the game."""
        chance = self.crown_chance(content, contents)
        return WIN * chance * (1 - FLAG_HOPE) if chance < 0.9 else 0.0

    def _alarm(self, content: int, foe: Unit) -> float:
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

    # --- where to go

    def _flight(self, foe: Unit) -> float:
        """How likely an enemy has gone before a piece gets to it, which takes several turns."""
        if self.rules.volleys:
            return 0.0  # Whoever strikes from afar is there at once.
        mobile, rank_of = self.units.battles.mobile, self.rules.rank_of
        chance = sum(chance for one, chance in self.contents[foe.cell] if rank_of(one) in mobile)
        return chance * (FLIGHT if foe.moved or foe.content is not None else FLIGHT_OF_STILL)

    def field(self, content: int) -> list[float]:
        """For each cell how well a piece stands there, by what it could go and attack."""
        found = self._fields.get(content)
        if found is None:
            found = self._fields[content] = self._field(content)
        return found

    def _field(self, content: int) -> list[float]:
        goals = [
            (
                self.attack(content, foe) * (1 - self.flights[foe.cell]),
                self._alarm(content, foe),
                foe.cell,
            )
            for foe in self.enemies
            # What decides the match stays where it is as long as nothing threatens it.
            if not (self.cautious and content & KIND in self.crowns)
        ]
        goals = sorted((goal for goal in goals if goal[0] > 0.3), reverse=True)[:10]
        field = [0.0] * self.rules.board.size
        for cell in self.rules.board.cells:
            far = self.far[cell]
            best = second = 0.0
            for gain, alarm, goal in goals:
                steps = max(0, far[goal] - 1)
                pull = gain * PULLS[steps]
                if alarm:
                    pull += alarm * ALARM_PULLS[steps]
                if pull > best:
                    best, second = pull, best
                elif pull > second:
                    second = pull
            field[cell] = best + 0.25 * second
        for cell in self.beside:
            field[cell] += self.cover
        return field
