"""The board of one world on which moves are made and taken back, where pieces go far and shoot."""

from collections.abc import Set

from games.bots.boards.battle_tables import Battles
from games.bots.boards.bitboards import cells_of
from games.bots.boards.move_tables import NOWHERE, reach_of

NOTHING = NOWHERE  # is struck by a move
Action = tuple[int, int, int]  # where a move begins, where it stops, and what it strikes
Undo = list[tuple[int, int]]  # cells, and what stood there


class RangedBoard:
    """A position that changes with every move and the volley that follows it.

    `bits` are the cells of South's and North's pieces, `archers` those of them that shoot, and
    `crowns` how many are left whose loss ends the match. `made` counts the moves.
    """

    def __init__(self, battles: Battles) -> None:
        self.battles = battles
        self.reach = reach_of(battles)
        self.made = 0
        self.load(battles.rules.board.blank)

    def load(self, cells: bytes) -> None:
        """Begin with the cells of a position."""
        self.cells = list(cells)
        self.bits, self.archers = [0, 0], [0, 0]
        self.crowns = 0
        for cell in self.reach.cells:
            if content := cells[cell]:
                self.cells[cell] = 0
                self._put(cell, content)

    def _put(self, cell: int, content: int) -> None:
        bit = 1 << cell
        cells, bits, archers, reach = self.cells, self.bits, self.archers, self.reach
        if before := cells[cell]:
            side = before >> 7
            bits[side] &= ~bit
            archers[side] &= ~bit
            self.crowns -= reach.crown[before]
        cells[cell] = content
        if content:
            side = content >> 7
            bits[side] |= bit
            if reach.shoots[content]:
                archers[side] |= bit
            self.crowns += reach.crown[content]

    @property
    def over(self) -> bool:
        """Whether what decides the match has fallen."""
        return self.crowns < 2

    # --- moves

    def play(self, side: int, action: Action) -> Undo:
        """Make a move of a side, with the volley of the other that follows it."""
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
            struck = cells[target]
            undo.append((target, struck))
            result = self.battles.clash(mover, struck)
            put(stop, result.behind)
            put(target, result.ahead)
        if not self.over:
            self._volley(1 - side, undo)
        return undo

    def _volley(self, side: int, undo: Undo) -> None:
        """What falls to the archers before a side's turn: to its own, or to both sides' at once."""
        before = tuple(self.archers)
        self._shoot(side, before[side], undo)
        if self.reach.both_shoot:
            self._shoot(1 - side, before[1 - side], undo)

    def _shoot(self, side: int, archers: int, undo: Undo) -> None:
        shots, hit, cells = self.reach.shots[side], self.reach.hit, self.cells
        for archer in cells_of(archers):
            for cell in cells_of(shots[archer] & self.bits[1 - side]):
                content = cells[cell]
                if (left := hit[content]) != content:
                    undo.append((cell, content))
                    self._put(cell, left)

    def undo(self, undo: Undo) -> None:
        """Take a move back."""
        for cell, content in reversed(undo):
            self._put(cell, content)

    def actions(self, side: int) -> list[Action]:
        """All moves of a side, but for what a rule against going to and fro forbids."""
        cells, reach = self.cells, self.reach
        found = []
        for source in cells_of(self.bits[side]):
            mover = cells[source]
            if not reach.moves[mover]:
                continue
            strikes = reach.strikes[mover]
            if strikes:
                found += [(source, source, cell) for cell in self._beside(side, source)]
            for way in reach.ways[source]:
                for stop in way:
                    if cells[stop]:
                        break
                    found.append((source, stop, NOTHING))
                    if strikes:
                        found += self._charges(side, source, stop)
        return found

    def _beside(self, side: int, cell: int) -> list[int]:
        """The enemies beside a cell."""
        cells = self.cells
        return [
            other
            for other in self.reach.beside[cell]
            if other != NOWHERE and (struck := cells[other]) and struck >> 7 != side
        ]

    def _charges(self, side: int, source: int, stop: int) -> list[Action]:
        may_turn = self.reach.may_turn
        return [
            (source, stop, cell)
            for cell in self._beside(side, stop)
            if may_turn(source, stop, cell)
        ]

    # --- ways to a cell

    def can_strike(self, side: int, cell: int) -> bool:
        """Whether a side, were it its turn, can strike a cell."""
        return bool(self.ways_to(side, cell, once=True))

    def ways_to(self, side: int, cell: int, *, once: bool = False) -> list[Set[int]]:
        """For each way by which a side can strike a cell, where it is shut: one, or all."""
        cells, strikes = self.cells, self.reach.strikes
        found: list[Set[int]] = []
        for beside, ways in self.reach.approaches[cell]:
            content = cells[beside]
            if content:
                if content >> 7 == side and strikes[content]:
                    found.append({beside})
                    if once:
                        return found
                continue
            for way in ways:
                for number, one in enumerate(way):
                    content = cells[one]
                    if content:
                        if content >> 7 == side and strikes[content]:
                            found.append({beside, *way[: number + 1]})
                            if once:
                                return found
                        break
        return found

    def moves_to(self, side: int, wanted: Set[int]) -> list[Action]:
        """The moves of a side that stop on some cells where they are free, or strike there."""
        found = []
        for cell in wanted:
            content = self.cells[cell]
            if not content:
                found += self._stopping(side, cell)
            elif content >> 7 != side:
                found += self._striking(side, cell)
        return found

    def _stopping(self, side: int, stop: int) -> list[Action]:
        cells, reach = self.cells, self.reach
        found = []
        for way in reach.ways[stop]:
            for one in way:
                if mover := cells[one]:
                    if mover >> 7 == side and reach.moves[mover]:
                        found.append((one, stop, NOTHING))
                        if reach.strikes[mover]:
                            found += self._charges(side, one, stop)
                    break
        return found

    def _striking(self, side: int, target: int) -> list[Action]:
        cells, reach = self.cells, self.reach
        found = []
        for beside, ways in reach.approaches[target]:
            if near := cells[beside]:
                if near >> 7 == side and reach.strikes[near]:
                    found.append((beside, beside, target))
                continue
            for way in ways:
                for one in way:
                    if mover := cells[one]:
                        if mover >> 7 == side and reach.strikes[mover]:
                            found.append((one, beside, target))
                        break
        return found
