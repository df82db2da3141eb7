"""Search board for games with volleys: make and unmake a move with the volley that follows it."""

from collections.abc import Set

from games.bots.boards.battle_tables import BattleTables
from games.bots.boards.bitboards import cells_of
from games.bots.boards.move_tables import NOWHERE, move_tables

NOTHING = NOWHERE  # the target of a move that attacks nothing
Action = tuple[int, int, int]  # source, the cell where the piece stops, target of its attack
Undo = list[tuple[int, int]]  # cells, and their contents before


class VolleyBoard:
    """A position of which everything is known, changed in place.

    By seat, as bits: `pieces` and `archers` are the cells of each. `flags` is how many flags are
    left, and `made` how many moves were made.
    """

    def __init__(self, battles: BattleTables) -> None:
        self.battles = battles
        self.tables = move_tables(battles)
        self.made = 0
        self.load(battles.rules.board.blank)

    def load(self, cells: bytes) -> None:
        """Set up a position by the contents of its cells."""
        self.cells = list(cells)
        self.pieces, self.archers = [0, 0], [0, 0]
        self.flags = 0
        for cell in self.tables.cells:
            if content := cells[cell]:
                self.cells[cell] = 0
                self._put(cell, content)

    def _put(self, cell: int, content: int) -> None:
        bit = 1 << cell
        cells, pieces, archers, tables = self.cells, self.pieces, self.archers, self.tables
        if before := cells[cell]:
            side = before >> 7
            pieces[side] &= ~bit
            archers[side] &= ~bit
            self.flags -= tables.is_flag[before]
        cells[cell] = content
        if content:
            side = content >> 7
            pieces[side] |= bit
            if tables.shoots[content]:
                archers[side] |= bit
            self.flags += tables.is_flag[content]

    @property
    def over(self) -> bool:
        """Whether a flag has fallen."""
        return self.flags < 2

    # --- moves

    def make(self, side: int, action: Action) -> Undo:
        """Make a move of a side, and the volley before the other side's turn."""
        source, stop, target = action
        cells, put = self.cells, self._put
        self.made += 1
        mover = cells[source]
        undo = [(source, mover)]
        if stop != source:
            undo.append((stop, 0))
            put(source, 0)
            put(stop, mover)
        if target != NOTHING:
            defender = cells[target]
            undo.append((target, defender))
            result = self.battles.battle(mover, defender)
            put(stop, result.at_source)
            put(target, result.at_target)
        if not self.over:
            self._volley(1 - side, undo)
        return undo

    def _volley(self, side: int, undo: Undo) -> None:
        """The shots before a side's turn: its own archers', or those of both sides at once."""
        before = tuple(self.archers)
        self._shoot(side, before[side], undo)
        if self.tables.both_shoot:
            self._shoot(1 - side, before[1 - side], undo)

    def _shoot(self, side: int, archers: int, undo: Undo) -> None:
        shots, after_hit, cells = self.tables.shots[side], self.tables.after_hit, self.cells
        for archer in cells_of(archers):
            for cell in cells_of(shots[archer] & self.pieces[1 - side]):
                content = cells[cell]
                if (left := after_hit[content]) != content:
                    undo.append((cell, content))
                    self._put(cell, left)

    def unmake(self, undo: Undo) -> None:
        """Take a move back."""
        for cell, content in reversed(undo):
            self._put(cell, content)

    def actions(self, side: int) -> list[Action]:
        """All moves of a side, including those that only a rule on repeated moves forbids."""
        cells, tables = self.cells, self.tables
        actions = []
        for source in cells_of(self.pieces[side]):
            mover = cells[source]
            if not tables.moves[mover]:
                continue
            attacks = tables.attacks[mover]
            if attacks:
                actions += [(source, source, cell) for cell in self._adjacent_enemies(side, source)]
            for line in tables.lines[source]:
                for stop in line:
                    if cells[stop]:
                        break
                    actions.append((source, stop, NOTHING))
                    if attacks:
                        actions += self._charges(side, source, stop)
        return actions

    def _adjacent_enemies(self, side: int, cell: int) -> list[int]:
        """The cells of enemies next to a cell."""
        cells = self.cells
        return [
            other
            for other in self.tables.adjacent[cell]
            if other != NOWHERE and (content := cells[other]) and content >> 7 != side
        ]

    def _charges(self, side: int, source: int, stop: int) -> list[Action]:
        can_charge = self.tables.can_charge
        return [
            (source, stop, cell)
            for cell in self._adjacent_enemies(side, stop)
            if can_charge(source, stop, cell)
        ]

    # --- attacks on a cell

    def can_attack(self, side: int, cell: int) -> bool:
        """Whether a side can attack a cell if it is its turn."""
        return bool(self.attack_paths(side, cell, only_one=True))

    def attack_paths(self, side: int, cell: int, *, only_one: bool = False) -> list[Set[int]]:
        """By each attack of a side on a cell, the cells where a piece would prevent it.

        These are the attacker's own cell and the empty ones on its way.
        """
        cells, attacks = self.cells, self.tables.attacks
        paths: list[Set[int]] = []
        for neighbour, lines in self.tables.approaches[cell]:
            content = cells[neighbour]
            if content:
                if content >> 7 == side and attacks[content]:
                    paths.append({neighbour})
                    if only_one:
                        return paths
                continue
            for line in lines:
                for index, other in enumerate(line):
                    content = cells[other]
                    if content:
                        if content >> 7 == side and attacks[content]:
                            paths.append({neighbour, *line[: index + 1]})
                            if only_one:
                                return paths
                        break
        return paths

    def actions_onto(self, side: int, targets: Set[int]) -> list[Action]:
        """The moves of a side that stop on one of these cells, or attack an enemy there."""
        actions = []
        for cell in targets:
            content = self.cells[cell]
            if not content:
                actions += self._stopping_on(side, cell)
            elif content >> 7 != side:
                actions += self._attacking(side, cell)
        return actions

    def _stopping_on(self, side: int, stop: int) -> list[Action]:
        cells, tables = self.cells, self.tables
        actions = []
        for line in tables.lines[stop]:
            for source in line:
                if mover := cells[source]:
                    if mover >> 7 == side and tables.moves[mover]:
                        actions.append((source, stop, NOTHING))
                        if tables.attacks[mover]:
                            actions += self._charges(side, source, stop)
                    break
        return actions

    def _attacking(self, side: int, target: int) -> list[Action]:
        cells, tables = self.cells, self.tables
        actions = []
        for neighbour, lines in tables.approaches[target]:
            if content := cells[neighbour]:
                if content >> 7 == side and tables.attacks[content]:
                    actions.append((neighbour, neighbour, target))
                continue
            for line in lines:
                for source in line:
                    if mover := cells[source]:
                        if mover >> 7 == side and tables.attacks[mover]:
                            actions.append((source, neighbour, target))
                        break
        return actions
