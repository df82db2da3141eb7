"""Alpha-beta search for Assaut: iterative deepening, transposition table, quiescence search."""

from games.bots.assaut.bitboard import (
    NO_TURN,
    OFFICERS,
    SOLDIERS,
    EditionTables,
    Node,
    Turn,
    captures,
    capturing_officers,
    result_by_pieces,
    result_when_blocked,
    successors,
)
from games.bots.assaut.evaluation import evaluate

WON = 100_000
CERTAIN = 90_000  # A value beyond it is a win or a loss that was searched to its end.
MAX_LINE_PLIES = 60
QUIESCENCE_PLIES = 8
HUFF_COST = 420  # the value of an officer that may be huffed for a capture that it did not make
EXACT, AT_LEAST, AT_MOST = range(3)
TABLE_ENTRIES = 200_000


class BudgetUsedUp(Exception):  # noqa: N818 - it ends a search and is not an error.
    """The budget of positions is used up."""


class Search:
    """One search from one position, with a budget of positions."""

    def __init__(self, tables: EditionTables, positions: int) -> None:
        self.tables = tables
        self.left = positions
        self.transpositions: dict[tuple[int, ...], tuple[int, int, int, Turn]] = {}
        self.history: dict[Turn, int] = {}  # the history heuristic: how much each turn cut off
        self.is_near_limit = False  # whether turns without progress may end the match

    def best(
        self, root: Node, depth: int, order: list[tuple[Node, Turn]], margin: int = 0
    ) -> tuple[Turn, int, dict[Turn, int]]:
        """The best turn, its value to the mover, and the values of good turns.

        Good turns are those within a margin of the best; their values are exact.
        """
        self.is_near_limit = root.quiet > self.tables.limit - MAX_LINE_PLIES
        moves = list(order)
        turn, value = moves[0][1], -WON
        values: dict[Turn, int] = {}
        for plies in range(1, depth + 1):
            try:
                values = self._search_root(moves, plies, margin)
            except BudgetUsedUp:
                break
            moves.sort(key=lambda pair: -values[pair[1]])
            turn, value = moves[0][1], values[moves[0][1]]
            if abs(value) > CERTAIN and WON - abs(value) <= plies:
                break
            if len(moves) == 1:
                break
        good = {other: exact for other, exact in values.items() if exact >= value - margin}
        return turn, value, good

    def _search_root(
        self, moves: list[tuple[Node, Turn]], plies: int, margin: int
    ) -> dict[Turn, int]:
        """The values of all root turns, exact within a margin of the best.

        The others are only bounds, so they are set below all values within the margin.
        """
        values: dict[Turn, int] = {}
        best = -WON
        for node, turn in moves:
            alpha = max(-WON, best - margin)
            value = -self._search(node, plies - 1, -WON, -alpha, 1)
            values[turn] = value if value > alpha else min(value, alpha) - margin - 1
            best = max(best, value)
        return values

    def _search(self, node: Node, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value to the side to move."""
        if depth <= 0 and node.quiet < self.tables.limit:
            return self._quiescence(node, alpha, beta, ply, QUIESCENCE_PLIES)
        result = result_by_pieces(node)
        side = 1 if node.turn == SOLDIERS else -1
        if result is not None:
            return side * result * (WON - ply)
        if node.quiet >= self.tables.limit:
            if successors(self.tables, node):
                return 0
            return side * result_when_blocked(self.tables, node) * (WON - ply)
        # Turns without progress are the last field, and matter only near their limit.
        key = node if self.is_near_limit else node[:-1]
        first = NO_TURN
        if entry := self.transpositions.get(key):
            searched, value, kind, first = entry
            if searched >= depth and (abs(value) < CERTAIN or kind == EXACT):
                if kind == EXACT:
                    return value
                if kind == AT_LEAST and value >= beta:
                    return value
                if kind == AT_MOST and value <= alpha:
                    return value
        self.left -= 1
        if self.left < 0:
            raise BudgetUsedUp
        moves = successors(self.tables, node)
        if not moves:
            return side * result_when_blocked(self.tables, node) * (WON - ply)
        if len(moves) > 1:
            moves = self._ordered(moves, first)
        else:
            depth += 1  # A forced turn costs no depth.
        best, best_turn, original_alpha = -WON, moves[0][1], alpha
        for after, turn in moves:
            value = -self._search(after, depth - 1, -beta, -alpha, ply + 1)
            if value > best:
                best, best_turn = value, turn
                alpha = max(alpha, value)
                if alpha >= beta:
                    self.history[turn] = self.history.get(turn, 0) + depth * depth
                    break
        kind = AT_MOST if best <= original_alpha else AT_LEAST if best >= beta else EXACT
        if len(self.transpositions) < TABLE_ENTRIES:
            self.transpositions[key] = (depth, best, kind, best_turn)
        return best

    def _ordered(self, moves: list[tuple[Node, Turn]], first: Turn) -> list[tuple[Node, Turn]]:
        """Move ordering: the table's turn, then huffs, captures and progress, then by history."""
        history = self.history

        def rank(move: tuple[Node, Turn]) -> int:
            turn = move[1]
            if turn == first:
                return -1_000_000_000
            if turn[0] or len(turn[1]) > 2 or not move[0].quiet:
                return -1_000_000 - history.get(turn, 0)
            return -history.get(turn, 0)

        return sorted(moves, key=rank)

    def _quiescence(self, node: Node, alpha: int, beta: int, ply: int, left: int) -> int:
        """The value to the side to move after captures and huffs."""
        result = result_by_pieces(node)
        side = 1 if node.turn == SOLDIERS else -1
        if result is not None:
            return side * result * (WON - ply)
        self.left -= 1
        if self.left < 0:
            raise BudgetUsedUp
        static = side * self._static_value(node)
        if left <= 0:
            return static
        if node.turn == OFFICERS:
            capturing = capturing_officers(node.soldiers, node.officers)
            if not capturing:
                return static
            # With huffing an officer need not capture, but may then be huffed.
            best = static - HUFF_COST if self.tables.huffing else -WON
            moves = captures(self.tables, node, capturing)
        else:
            if not node.huffable:
                return static
            best = static
            alpha = max(alpha, best)
            moves = [move for move in successors(self.tables, node) if move[1][0]]
        for after, _ in moves:
            value = -self._quiescence(after, -beta, -alpha, ply + 1, left - 1)
            if value > best:
                best = value
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        return best

    def _static_value(self, node: Node) -> int:
        """The evaluation, halved step by step as turns without progress approach the limit."""
        value = evaluate(node)
        return value - value * node.quiet // (2 * self.tables.limit)
