"""Flag safety: how many moves enemies need to capture the flag, and which defenders stop them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from games.bots.belief.tracked_units import Unit
from games.bots.boards.distances import adjacent_cells, distances_to
from games.bots.evaluation.situation import Situation
from games.rules.core.basics.pieces import owner

# The threat of an enemy that nothing stops, by the moves that it needs to capture the flag.
THREATS = (0.0, 90.0, 60.0, 45.0, 34.0, 26.0, 20.0, 15.0, 11.0, 8.0, 6.0)
LATE_SHARES = (1.0, 0.55, 0.25, 0.1)  # what a defender counts, by the moves that it comes too late
TRADE_SHARE = 0.3  # how far a route is open if the enemy and the guard on it remove each other
MIN_THREAT = 1.0  # that is evaluated


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """An enemy's route to a flag by one of the cells next to it, the gate.

    `entry_chance` is the chance that the enemy can move, and gets past whatever own piece stands
    on the gate; `unguarded_chance` is the same for an empty gate. `stop_chances` says by cell how
    surely each own piece takes the enemy on the gate.
    """

    enemy: Unit
    gate: int
    moves: int
    entry_chance: float
    unguarded_chance: float
    stop_chances: dict[int, float]

    def threat(self, entry_chance: float, stop_chance: float) -> float:
        """The threat of this route, with other chances than its own."""
        return THREATS[self.moves] * entry_chance * (1 - stop_chance)

    def stop_chance_without(self, cell: int) -> float:
        """How surely the enemy is stopped by any piece except that of a cell."""
        return max((chance for at, chance in self.stop_chances.items() if at != cell), default=0.0)


class FlagSafety:
    """The routes of all enemies to own flags."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.battles = situation.values.battles
        board = situation.rules.board
        self.adjacent = {cell: adjacent_cells(board, cell) for cell in board.cells}
        self.passable = set(board.cells) - {
            unit.cell
            for unit in situation.own
            if unit.content and not self._is_mobile(unit.content)
        }
        self._steps = cache(self._steps_to)
        self._removal = cache(self._removal_chance)
        self.routes_by_enemy = [
            routes
            for flag in situation.own_flags
            for enemy in situation.enemies
            if (routes := list(self._routes(enemy, flag)))
        ]

    def added_threat(
        self, source: int, content: int, cell: int | None, attacked: int | None
    ) -> float:
        """How much more threat there is once a piece has gone from one cell to another.

        `cell` is None if the piece is lost. The threat of an enemy that it attacks, on the cell
        `attacked`, is left out: what removing it is worth counts elsewhere.
        """
        added = 0.0
        if source in self.situation.own_flags:
            return added  # The flag itself moves, and all routes change.
        for routes in self.routes_by_enemy:
            if routes[0].enemy.cell == attacked:
                continue
            before = after = 0.0
            for route in routes:
                others = route.stop_chance_without(source)
                stop_before = max(others, route.stop_chances.get(source, 0.0))
                before = max(before, route.threat(route.entry_chance, stop_before))
                stop_after, entry_chance = others, route.entry_chance
                if source == route.gate:
                    entry_chance = route.unguarded_chance
                if cell == route.gate:
                    entry_chance = self._entry_chance(route.enemy, content)
                elif cell is not None:
                    own = self._stop_chance(content, cell, route.enemy, route.gate, route.moves)
                    stop_after = max(others, own)
                after = max(after, route.threat(entry_chance, stop_after))
            added += after - before
        return added

    # --- the routes of the enemies

    def _routes(self, enemy: Unit, flag: int) -> Iterator[Route]:
        situation = self.situation
        if not enemy.moved and enemy.content is None:
            return  # Most of these never move; the others are far away when they start.
        unguarded_chance = self._entry_chance(enemy, None)
        for gate in self.adjacent[flag]:
            if gate not in self.adjacent or gate == enemy.cell:
                continue
            moves = situation.steps[gate][enemy.cell] + 1
            guard = situation.units.at.get(gate)
            if moves >= len(THREATS) or (guard and guard.seat is not situation.seat):
                continue
            if THREATS[moves] * unguarded_chance < MIN_THREAT:
                continue
            stop_chances = {
                unit.cell: chance
                for unit in situation.own
                if unit.content and self._is_mobile(unit.content) and unit.cell != gate
                if (chance := self._stop_chance(unit.content, unit.cell, enemy, gate, moves))
            }
            entry_chance = self._entry_chance(enemy, guard.content if guard else None)
            yield Route(enemy, gate, moves, entry_chance, unguarded_chance, stop_chances)

    def _is_mobile(self, content: int) -> bool:
        return self.situation.rules.rank_of(content) in self.battles.mobile

    def _entry_chance(self, enemy: Unit, guard: int | None) -> float:
        """The chance that an enemy can move, and beats the guard of a cell."""
        total = 0.0
        for content, chance in self.situation.contents[enemy.cell]:
            if not self._is_mobile(content):
                continue
            if guard is None:
                total += chance
                continue
            left = self.battles.battle(content, guard).at_target
            if not left:
                total += TRADE_SHARE * chance
            elif owner(left) is enemy.seat:
                total += chance
        return total

    def _stop_chance(self, content: int, cell: int, enemy: Unit, gate: int, moves: int) -> float:
        """How surely an own piece on a cell takes an enemy that comes to a gate."""
        late = max(0, self._steps(gate)[cell] - (moves - 1))
        if late >= len(LATE_SHARES):
            return 0.0
        return LATE_SHARES[late] * self._removal(content, enemy)

    def _removal_chance(self, content: int, enemy: Unit) -> float:
        contents = self.situation.contents[enemy.cell]
        return self.situation.values.removal_chance(content, contents)

    def _steps_to(self, gate: int) -> list[int]:
        """By cell, the steps from it to a gate, around own pieces that cannot move."""
        return distances_to(self.situation.rules.board, gate, self.passable)
