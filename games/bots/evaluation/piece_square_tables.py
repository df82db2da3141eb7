"""Fields: how well each own piece would stand on each cell, by what it could go and attack."""

from games.bots.belief.tracked_units import Unit
from games.bots.boards.distances import FAR, beside
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.pieces import KIND

PULL = 0.26  # of what an attack would bring, felt one step away from its target
FADING = 0.8  # of the pull that is left at each further step
ALARM_PULL = 0.2  # as PULL and FADING, for an enemy that alarms: it is gone for from farther away
ALARM_FADING = 0.9
LEAST_GAIN = 0.3  # of an attack that is gone for
MOST_GOALS = 10
SECOND_GOAL = 0.25  # what the next best goal counts beside the best
# How likely an enemy that can move has gone when a piece has come for it: one that has moved or is
# known, and another.
FLIGHT = 0.45
FLIGHT_OF_STILL = 0.15

# By the steps to the target.
PULLS = tuple(PULL * FADING ** max(0, steps - 1) for steps in range(FAR + 1))
ALARM_PULLS = tuple(ALARM_PULL * ALARM_FADING ** max(0, steps - 1) for steps in range(FAR + 1))


class Fields:
    """The fields of one situation, each made when it is asked for."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.ways = situation.ways
        # Whoever strikes from afar has no need to come near.
        self.afar = situation.units.battles.far_strikes
        self.flights = {unit.cell: self._flight(unit) for unit in situation.enemies}
        self._fields: dict[int, list[float]] = {}

    def of(self, content: int) -> list[float]:
        """For each cell how well an own piece standing as `content` stands there."""
        found = self._fields.get(content)
        if found is None:
            found = self._fields[content] = self._field(content)
        return found

    def worths(self) -> list[list[float]]:
        """For each content of a cell its worth on every cell: the piece, and how well it stands."""
        situation = self.situation
        values = situation.values.table
        worths = [[value] * situation.rules.board.size for value in values]
        for content in sorted({unit.content for unit in situation.own if unit.content}):
            worths[content] = [values[content] + well for well in self.of(content)]
        return worths

    def wanted(self, cell: int, mover: int) -> float:
        """How much better an own piece beside a cell would stand on it: the one that gains most.

        The piece on `mover` is left out: it is about to go.
        """
        situation = self.situation
        most = 0.0
        for other in beside(situation.rules.board, cell):
            unit = situation.units.at.get(other)
            if unit is None or other == mover or unit.seat is not situation.seat:
                continue
            if situation.rules.rank_of(unit.content or 0) in situation.units.battles.mobile:
                field = self.of(unit.content or 0)
                most = max(most, field[cell] - field[other])
        return most

    def _flight(self, foe: Unit) -> float:
        """How likely an enemy has gone before a piece gets to it, which takes several turns."""
        situation = self.situation
        if self.afar:
            return 0.0
        mobile, rank_of = situation.units.battles.mobile, situation.rules.rank_of
        contents = situation.contents[foe.cell]
        chance = sum(chance for one, chance in contents if rank_of(one) in mobile)
        return chance * (FLIGHT if foe.moved or foe.content is not None else FLIGHT_OF_STILL)

    def _goals(self, content: int) -> list[tuple[float, float, int]]:
        """What a piece may go for: what is gained, what alarms about it, and its cell."""
        situation = self.situation
        if situation.stays_home and content & KIND in situation.crowns:
            return []
        goals = [
            (
                situation.attack(content, foe) * (1 - self.flights[foe.cell]),
                situation.alarm(content, foe),
                foe.cell,
            )
            for foe in situation.enemies
            if self.afar or self.ways.is_open(foe.cell)
        ]
        return sorted((goal for goal in goals if goal[0] > LEAST_GAIN), reverse=True)[:MOST_GOALS]

    def _field(self, content: int) -> list[float]:
        situation = self.situation
        goals = [
            (gain, alarm, situation.far[goal] if self.afar else self.ways.steps_to(goal))
            for gain, alarm, goal in self._goals(content)
        ]
        field = [0.0] * situation.rules.board.size
        for cell in situation.rules.board.cells:
            best = second = 0.0
            for gain, alarm, far in goals:
                steps = far[cell]
                pull = gain * PULLS[steps]
                if alarm:
                    pull += alarm * ALARM_PULLS[steps]
                if pull > best:
                    best, second = pull, best
                elif pull > second:
                    second = pull
            field[cell] = best + SECOND_GOAL * second
        for cell in situation.beside:
            field[cell] += situation.cover
        return field
