"""Alpha-beta search for Assaut: iterative deepening, transposition table, budget of positions."""

from games.bots.assaut.bitboard import (
    NO_TURN,
    OFFICERS,
    SOLDIERS,
    Node,
    Tables,
    Turn,
    captures,
    decided,
    following,
    jumpers,
    stuck,
)
from games.bots.assaut.evaluation import evaluate

WON = 100_000
SURE = 90_000  # beyond it a value is a win that was seen to its end
MAX_LINE_PLIES = 60  # plies of a line
CAPTURE_PLIES = 8  # that are looked through beyond the search
HUFFED = 420  # what an officer is taken to be worth that may be huffed for a capture it left
EXACT, AT_LEAST, AT_MOST = range(3)
TABLE_ENTRIES = 200_000


class Spent(Exception):  # noqa: N818 - it ends a search, and is no fault.
    """The budget of positions is used up."""


class Search:
    """One search from one position."""

    def __init__(self, tables: Tables, positions: int) -> None:
        self.tables = tables
        self.left = positions
        self.table: dict[tuple[int, ...], tuple[int, int, int, Turn]] = {}
        self.history: dict[Turn, int] = {}
        self.tight = False  # whether the limit of quiet turns is near

    def best(
        self, root: Node, depth: int, order: list[tuple[Node, Turn]], margin: int = 0
    ) -> tuple[Turn, int, dict[Turn, int]]:
        """The best turn with its value to the mover, and the values of the last full round.

        Turns that are within a margin of the best are valued exactly, and no others are told.
        """
        self.tight = root.quiet > self.tables.limit - MAX_LINE_PLIES
        moves = list(order)
        turn, value = moves[0][1], -WON
        values: dict[Turn, int] = {}
        for plies in range(1, depth + 1):
            try:
                values = self._round(moves, plies, margin)
            except Spent:
                break
            moves.sort(key=lambda one: -values[one[1]])
            turn, value = moves[0][1], values[moves[0][1]]
            if abs(value) > SURE and WON - abs(value) <= plies:
                break
            if len(moves) == 1:
                break
        return turn, value, {one: worth for one, worth in values.items() if worth >= value - margin}

    def _round(self, moves: list[tuple[Node, Turn]], plies: int, margin: int) -> dict[Turn, int]:
        """The values of all root turns; those that are worse than the best by a margin are bounds.

        A bound says nothing of how bad a turn is, so it is put below all that may be drawn.
        """
        values: dict[Turn, int] = {}
        best = -WON
        for node, turn in moves:
            low = max(-WON, best - margin)
            value = -self._value(node, plies - 1, -WON, -low, 1)
            values[turn] = value if value > low else min(value, low) - margin - 1
            best = max(best, value)
        return values

    def _value(self, node: Node, depth: int, low: int, high: int, ply: int) -> int:
        """The value to the side to move."""
        if depth <= 0 and node.quiet < self.tables.limit:
            return self._quiet(node, low, high, ply, CAPTURE_PLIES)
        result = decided(self.tables, node)
        side = 1 if node.turn == SOLDIERS else -1
        if result is not None:
            return side * result * (WON - ply)
        if node.quiet >= self.tables.limit:
            return (
                0 if following(self.tables, node) else side * stuck(self.tables, node) * (WON - ply)
            )
        key = node if self.tight else node[:-1]  # Turns in quiet come last.
        first = NO_TURN
        if entry := self.table.get(key):
            known, value, kind, first = entry
            if known >= depth and (abs(value) < SURE or kind == EXACT):
                if kind == EXACT:
                    return value
                if kind == AT_LEAST and value >= high:
                    return value
                if kind == AT_MOST and value <= low:
                    return value
        self.left -= 1
        if self.left < 0:
            raise Spent
        moves = following(self.tables, node)
        if not moves:
            return side * stuck(self.tables, node) * (WON - ply)
        if len(moves) > 1:
            moves = self._ordered(moves, first)
        else:
            depth += 1  # A forced turn is no choice, and costs no depth.
        best, chosen, start = -WON, moves[0][1], low
        for after, turn in moves:
            value = -self._value(after, depth - 1, -high, -low, ply + 1)
            if value > best:
                best, chosen = value, turn
                low = max(low, value)
                if low >= high:
                    self.history[turn] = self.history.get(turn, 0) + depth * depth
                    break
        kind = AT_MOST if best <= start else AT_LEAST if best >= high else EXACT
        if len(self.table) < TABLE_ENTRIES:
            self.table[key] = (depth, best, kind, chosen)
        return best

    def _ordered(self, moves: list[tuple[Node, Turn]], first: Turn) -> list[tuple[Node, Turn]]:
        """The turns with the table's first, then huffs and captures, then by their history."""
        history = self.history

        def rank(one: tuple[Node, Turn]) -> int:
            turn = one[1]
            if turn == first:
                return -1_000_000_000
            if turn[0] or len(turn[1]) > 2 or not one[0].quiet:
                return -1_000_000 - history.get(turn, 0)
            return -history.get(turn, 0)

        return sorted(moves, key=rank)

    def _quiet(self, node: Node, low: int, high: int, ply: int, left: int) -> int:
        """The value once no officer has a capture that it must make."""
        result = decided(self.tables, node)
        side = 1 if node.turn == SOLDIERS else -1
        if result is not None:
            return side * result * (WON - ply)
        self.left -= 1
        if self.left < 0:
            raise Spent
        stand = side * self._stand(node)
        if left <= 0:
            return stand
        if node.turn == OFFICERS:
            able = jumpers(node.soldiers, node.officers)
            if not able:
                return stand
            # An officer may leave its capture and be huffed for it, so no loss here is sure.
            best = stand - HUFFED if self.tables.huffing else -WON
            moves = captures(self.tables, node, able)
        else:
            if not node.offenders:
                return stand
            best = stand
            low = max(low, best)
            moves = [one for one in following(self.tables, node) if one[1][0]]
        for after, _ in moves:
            value = -self._quiet(after, -high, -low, ply + 1, left - 1)
            if value > best:
                best = value
                low = max(low, value)
                if low >= high:
                    break
        return best

    def _stand(self, node: Node) -> int:
        """The evaluation, drawn toward nothing as quiet turns pass."""
        value = evaluate(node)
        return value - value * node.quiet // (2 * self.tables.limit)
