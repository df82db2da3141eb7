"""Safety: how near enemies are to taking the piece that decides the match, and who stops them."""

from collections.abc import Iterator
from dataclasses import dataclass

from games.bots.belief.tracked_units import Unit
from games.bots.boards.distances import beside, steps_to
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.pieces import owner

# By the moves that an enemy needs to take the piece, what it threatens if nobody stops it.
THREATS = (0.0, 90.0, 60.0, 45.0, 34.0, 26.0, 20.0, 15.0, 11.0, 8.0, 6.0)
LATE = (1.0, 0.55, 0.25, 0.1)  # what a defender counts that comes so many moves too late
STRUCK = 0.3  # how far a way is open if the enemy and the guard on it strike each other
HARMLESS = 1.0  # a threat below this is not looked at


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """An enemy's way to the piece through a cell beside it, the gate.

    `entering` is the chance that it is left on the gate, past whoever guards it, and `unguarded`
    that it would be, did nobody; `stops` says by cell how surely each own piece takes it there.
    """

    enemy: Unit
    gate: int
    moves: int
    entering: float
    unguarded: float
    stops: dict[int, float]

    def threat(self, entering: float, stopped: float) -> float:
        """What hangs on it."""
        return THREATS[self.moves] * entering * (1 - stopped)

    def stopped_without(self, cell: int) -> float:
        """How surely it is stopped by any piece but that of a cell."""
        return max((stop for at, stop in self.stops.items() if at != cell), default=0.0)


class Safety:
    """What enemies threaten against the own pieces that decide the match."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.battles = situation.values.battles
        board = situation.rules.board
        self.neighbours = {cell: beside(board, cell) for cell in board.cells}
        self.open = set(board.cells) - {
            unit.cell for unit in situation.own if unit.content and not self._mobile(unit.content)
        }
        self._steps: dict[int, list[int]] = {}
        self._beats: dict[tuple[int, int], float] = {}
        self.threats = [
            ways
            for kept in situation.kept
            for enemy in situation.enemies
            if (ways := list(self._ways(enemy, kept)))
        ]

    def lost(self, source: int, content: int, cell: int | None, struck: int | None) -> float:
        """How much more is threatened once a piece has gone from one cell to another.

        `cell` is None if it is lost, and `struck` where an enemy stands that it attacks: what
        removing that one is worth is not counted here.
        """
        worse = 0.0
        if source in self.situation.kept:
            return worse  # It goes itself, and leaves all this behind.
        for ways in self.threats:
            if ways[0].enemy.cell == struck:
                continue
            before = after = 0.0
            for way in ways:
                others = way.stopped_without(source)
                here = max(others, way.stops.get(source, 0.0))
                before = max(before, way.threat(way.entering, here))
                there, entering = others, way.entering
                if source == way.gate:
                    entering = way.unguarded
                if cell == way.gate:
                    entering = self._entering(way.enemy, content)
                elif cell is not None:
                    there = max(others, self._stop(content, cell, way.enemy, way.gate, way.moves))
                after = max(after, way.threat(entering, there))
            worse += after - before
        return worse

    # --- the ways of the enemies

    def _ways(self, enemy: Unit, kept: int) -> Iterator[Way]:
        situation = self.situation
        if not enemy.moved and enemy.content is None:
            return  # Most of these never move, and those that do are far from home once they did.
        unguarded = self._entering(enemy, None)
        for gate in self.neighbours[kept]:
            if gate not in self.neighbours or gate == enemy.cell:
                continue
            moves = situation.far[gate][enemy.cell] + 1
            guard = situation.units.at.get(gate)
            if moves >= len(THREATS) or (guard and guard.seat is not situation.seat):
                continue
            if THREATS[moves] * unguarded < HARMLESS:
                continue
            stops = {
                unit.cell: stop
                for unit in situation.own
                if unit.content and self._mobile(unit.content) and unit.cell != gate
                if (stop := self._stop(unit.content, unit.cell, enemy, gate, moves))
            }
            entering = self._entering(enemy, guard.content if guard else None)
            yield Way(enemy, gate, moves, entering, unguarded, stops)

    def _mobile(self, content: int) -> bool:
        return self.situation.rules.rank_of(content) in self.battles.mobile

    def _entering(self, enemy: Unit, guard: int | None) -> float:
        """The chance that an enemy can move at all, and is left on a cell past its guard."""
        chances = 0.0
        for content, chance in self.situation.contents[enemy.cell]:
            if not self._mobile(content):
                continue
            if guard is None:
                chances += chance
                continue
            ahead = self.battles.clash(content, guard).ahead
            if not ahead:
                chances += STRUCK * chance
            elif owner(ahead) is enemy.seat:
                chances += chance
        return chances

    def _stop(self, content: int, cell: int, enemy: Unit, gate: int, moves: int) -> float:
        """How surely an own piece on a cell takes an enemy once it has come to a gate."""
        late = max(0, self._far(gate)[cell] - (moves - 1))
        return LATE[late] * self._removal(content, enemy) if late < len(LATE) else 0.0

    def _removal(self, content: int, enemy: Unit) -> float:
        """The chance that an own piece that attacks an enemy leaves nothing of it."""
        key = (content, enemy.cell)
        found = self._beats.get(key)
        if found is None:
            contents = self.situation.contents[enemy.cell]
            found = self._beats[key] = self.situation.values.removal(content, contents)
        return found

    def _far(self, gate: int) -> list[int]:
        """For each cell the steps from it to a gate, around own pieces that never move."""
        far = self._steps.get(gate)
        if far is None:
            far = self._steps[gate] = steps_to(self.situation.rules.board, gate, self.open)
        return far
