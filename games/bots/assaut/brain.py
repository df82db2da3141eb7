"""The brain of Assaut: follows nothing, since all is open; searches from the board it is shown."""

from random import Random

from games.bots.assaut.bitboard import (
    AT,
    OFFICERS,
    SOLDIERS,
    Node,
    Turn,
    following,
    tables_of,
    text_of,
)
from games.bots.assaut.evaluation import evaluate
from games.bots.assaut.search import SURE, Search
from games.bots.levels import Level
from games.protocol.lines import Told
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.systems.assaut.game import Assaut

UNIT = 100  # of the evaluation, what the levels' noise is counted in


class AssautBrain:
    """Chooses the moves of one seat."""

    family = Assaut.family

    def __init__(self, level: Level) -> None:
        self.level = level
        self.last: Told | None = None
        self.looked = 0  # at positions, for the last choice

    def hear(self, told: Told) -> None:
        """Take in a line that asks for a move."""
        self.last = told

    def choose(self, rng: Random) -> str:
        """The text of the turn that seems best."""
        rules, node = self._seen()
        tables = tables_of(rules)
        moves = following(tables, node)
        rng.shuffle(moves)
        self.looked = len(moves)
        if len(moves) == 1:
            return text_of(moves[0][1])
        search = Search(tables, self.level.positions)
        noise = round(self.level.open_noise * UNIT)
        turn, value, values = search.best(node, self.level.depth, moves, 2 * noise)
        self.looked += self.level.positions - search.left
        if values and abs(value) < SURE:
            turn = _drawn(values, noise, rng)
        return text_of(turn)

    def believes(self) -> dict[str, dict[Rank, float]]:
        """Nothing is hidden: each enemy piece is what it is."""
        told = self._told()
        return {
            square: {seen.rank: 1.0}
            for square, seen in told.observation.pieces.items()
            if seen.seat is not told.seat and seen.rank is not None
        }

    def evaluate(self) -> float:
        """How the seat stands, from -1 (lost) to 1 (won)."""
        _, node = self._seen()
        value = evaluate(node) / (10 * UNIT)
        return round(max(-1.0, min(1.0, value if node.turn == SOLDIERS else -value)), 4)

    def _told(self) -> Told:
        if self.last is None:
            raise ValueError("Nothing has been told yet.")
        return self.last

    def _seen(self) -> tuple[Assaut, Node]:
        told = self._told()
        rules = told.rules
        if not isinstance(rules, Assaut):
            raise TypeError(f"This brain plays {self.family} only.")
        masks = [0, 0]
        for square, seen in told.observation.pieces.items():
            masks[seen.seat] |= AT[square]
        offenders = sum(AT[str(note.facts["point"])] for note in told.observation.notes)
        turn = SOLDIERS if told.seat is Seat.SOUTH else OFFICERS
        node = Node(masks[0], masks[1], offenders, turn, told.observation.quiet)
        return rules, node


def _drawn(values: dict[Turn, int], noise: int, rng: Random) -> Turn:
    """The turn that seems best to somebody who misjudges each by some noise."""
    judged = {one: value + rng.uniform(-noise, noise) for one, value in values.items()}
    return max(judged, key=lambda one: judged[one])
