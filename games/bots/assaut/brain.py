"""Brain of Assaut: searches from the board of each request, as nothing is hidden."""

from random import Random

from games.bots.assaut.bitboard import (
    BIT_BY_NAME,
    OFFICERS,
    SOLDIERS,
    Node,
    Turn,
    edition_tables,
    successors,
    text_of,
)
from games.bots.assaut.evaluation import evaluate
from games.bots.assaut.search import CERTAIN, Search
from games.bots.levels import Level
from games.protocol.lines import Request
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.systems.assaut.game import Assaut

POINTS = 100  # of the evaluation in one unit of the levels' noise


class AssautBrain:
    """Chooses the moves of one seat."""

    family = Assaut.family

    def __init__(self, level: Level) -> None:
        self.level = level
        self.last: Request | None = None
        self.nodes = 0  # positions examined for the last choice

    def update(self, request: Request) -> None:
        """Take in a request for a move."""
        self.last = request

    def choose(self, rng: Random) -> str:
        """The text of the best turn."""
        rules, node = self._node()
        tables = edition_tables(rules)
        moves = successors(tables, node)
        rng.shuffle(moves)
        self.nodes = len(moves)
        if len(moves) == 1:
            return text_of(moves[0][1])
        search = Search(tables, self.level.open_positions)
        noise = round(self.level.open_noise * POINTS)
        turn, value, values = search.best(node, self.level.open_depth, moves, 2 * noise)
        self.nodes += self.level.open_positions - search.left
        if values and abs(value) < CERTAIN:
            turn = _noisy_best(values, noise, rng)
        return text_of(turn)

    def beliefs(self) -> dict[str, dict[Rank, float]]:
        """By square of an enemy piece, its rank with the chance 1."""
        request = self._current()
        return {
            square: {seen.rank: 1.0}
            for square, seen in request.observation.pieces.items()
            if seen.seat is not request.seat and seen.rank is not None
        }

    def evaluate(self) -> float:
        """The evaluation of the seat, from -1 (lost) to 1 (won)."""
        _, node = self._node()
        value = evaluate(node) / (10 * POINTS)
        return round(max(-1.0, min(1.0, value if node.turn == SOLDIERS else -value)), 4)

    def _current(self) -> Request:
        if self.last is None:
            raise ValueError("There was no request yet.")
        return self.last

    def _node(self) -> tuple[Assaut, Node]:
        request = self._current()
        rules = request.rules
        if not isinstance(rules, Assaut):
            raise TypeError(f"This brain plays {self.family} only.")
        masks = [0, 0]
        for square, seen in request.observation.pieces.items():
            masks[seen.seat] |= BIT_BY_NAME[square]
        huffable = sum(BIT_BY_NAME[str(note.values["point"])] for note in request.observation.notes)
        turn = SOLDIERS if request.seat is Seat.SOUTH else OFFICERS
        node = Node(masks[0], masks[1], huffable, turn, request.observation.quiet)
        return rules, node


def _noisy_best(values: dict[Turn, int], noise: int, rng: Random) -> Turn:
    """The best turn, once noise is added to each value."""
    noisy = {turn: value + rng.uniform(-noise, noise) for turn, value in values.items()}
    return max(noisy, key=lambda turn: noisy[turn])
