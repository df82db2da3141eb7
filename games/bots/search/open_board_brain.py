"""Brain for games without secrets: alpha-beta of two plies, by the interface of the rules alone."""

from itertools import islice
from random import Random

from games.bots.levels import Level
from games.protocol.lines import Request
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import Rank, Seat, is_piece, owner
from games.rules.core.imagined_positions import Imagined, imagine
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import write_move

WON = 10_000.0
MAX_MOVES = 60  # of one position that are examined
PIECE_VALUE = 10.0  # of any piece
MOBILITY_VALUE = 0.1  # of each legal move


class OpenBoardBrain:
    """Chooses the moves of one seat."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.last: Request | None = None
        self.budget = 0
        self.nodes = 0  # positions examined for the last choice

    def update(self, request: Request) -> None:
        """Take in a request for a move."""
        self.last = request

    def choose(self, rng: Random) -> str:
        """The text of the best move."""
        request, position = self._position()
        rules = request.rules
        moves = list(islice(rules.legal_moves(position, request.seat), MAX_MOVES))
        rng.shuffle(moves)
        budget = self.budget = max(self.level.open_positions // 4, len(moves))
        best, text = -2 * WON, ""
        for move in moves:
            value = -self._search(rules, position, request.seat, move, 2 * WON, -best)
            value += rng.uniform(-self.level.open_noise, self.level.open_noise)
            if value > best:
                best, text = value, write_move(rules, move)
        self.nodes = budget - self.budget
        return text

    def _search(
        self, rules: Ruleset, position: Imagined, seat: Seat, move: Move, beta: float, alpha: float
    ) -> float:
        """The value of a move to the other side, after its best reply."""
        after, _ = rules.apply(position, seat, move)
        self.budget -= 1
        best = _value(rules, after, after.turn)
        if after.outcome or self.budget <= 0 or self.level.open_depth < 2:
            return best
        best = -2 * WON
        for reply in islice(rules.legal_moves(after, after.turn), MAX_MOVES):
            then, _ = rules.apply(after, after.turn, reply)
            self.budget -= 1
            best = max(best, -_value(rules, then, then.turn))
            if best >= beta or self.budget <= 0:
                break
        return best

    def beliefs(self) -> dict[str, dict[Rank, float]]:
        """By square of an enemy piece, its rank with the chance 1."""
        request, _ = self._position()
        return {
            square: {seen.rank: 1.0}
            for square, seen in request.observation.pieces.items()
            if seen.seat is not request.seat and seen.rank is not None
        }

    def evaluate(self) -> float:
        """The evaluation of the seat, from -1 (lost) to 1 (won), by the number of pieces."""
        request, position = self._position()
        own, enemy = _piece_counts(position, request.seat)
        return round((own - enemy) / max(1, own + enemy), 4)

    def _position(self) -> tuple[Request, Imagined]:
        if self.last is None:
            raise ValueError("There was no request yet.")
        return self.last, imagine(self.last.rules, self.last.observation, {})


def _piece_counts(position: Imagined, seat: Seat) -> tuple[int, int]:
    owners = [owner(content) for content in position.cells if is_piece(content)]
    return owners.count(seat), owners.count(seat.other)


def _value(rules: Ruleset, position: Imagined, seat: Seat) -> float:
    if position.outcome:
        winner = position.outcome.winner
        return 0.0 if winner is None else WON if winner is seat else -WON
    own, enemy = _piece_counts(position, seat)
    moves = sum(1 for _ in islice(rules.legal_moves(position, position.turn), MAX_MOVES))
    mobility = moves if position.turn is seat else -moves
    return PIECE_VALUE * (own - enemy) + mobility * MOBILITY_VALUE
