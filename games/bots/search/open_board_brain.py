"""The brain of any game that hides nothing, by the rules' interface alone: alpha-beta."""

from itertools import islice
from random import Random

from games.bots.levels import Level
from games.protocol.lines import Told
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import Rank, Seat, is_piece, owner
from games.rules.core.imagined_positions import Imagined, imagine
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import write_move

WON = 10_000.0
MAX_MOVES = 60  # of one position that are looked at
PIECE = 10.0  # the worth of any piece; the freedom to move counts beside


class OpenBrain:
    """Chooses the moves of one seat."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.last: Told | None = None
        self.left = 0
        self.looked = 0  # at positions, for the last choice

    def hear(self, told: Told) -> None:
        """Take in a line that asks for a move."""
        self.last = told

    def choose(self, rng: Random) -> str:
        """The text of the move that seems best."""
        told, position = self._position()
        rules = told.rules
        moves = list(islice(rules.legal_moves(position, told.seat), MAX_MOVES))
        rng.shuffle(moves)
        whole = self.left = max(self.level.positions // 4, len(moves))
        best, text = -2 * WON, ""
        for move in moves:
            value = -self._search(rules, position, told.seat, move, 2 * WON, -best)
            value += rng.uniform(-self.level.open_noise, self.level.open_noise)
            if value > best:
                best, text = value, write_move(rules, move)
        self.looked = whole - self.left
        return text

    def _search(
        self, rules: Ruleset, position: Imagined, seat: Seat, move: Move, high: float, low: float
    ) -> float:
        """What a move leaves the other side, from its view: two plies, while positions are left."""
        after, _ = rules.apply(position, seat, move)
        self.left -= 1
        best = _value(rules, after, after.turn)
        if after.outcome or self.left <= 0 or self.level.depth < 2:
            return best
        best = -2 * WON
        for reply in islice(rules.legal_moves(after, after.turn), MAX_MOVES):
            then, _ = rules.apply(after, after.turn, reply)
            self.left -= 1
            best = max(best, -_value(rules, then, then.turn))
            if best >= high or self.left <= 0:
                break
        return best

    def believes(self) -> dict[str, dict[Rank, float]]:
        """Nothing is hidden: each enemy piece is what it is."""
        told, _ = self._position()
        return {
            square: {seen.rank: 1.0}
            for square, seen in told.observation.pieces.items()
            if seen.seat is not told.seat and seen.rank is not None
        }

    def evaluate(self) -> float:
        """How the seat stands, by pieces alone."""
        told, position = self._position()
        own, foe = _numbers(position, told.seat)
        return round((own - foe) / max(1, own + foe), 4)

    def _position(self) -> tuple[Told, Imagined]:
        if self.last is None:
            raise ValueError("Nothing has been told yet.")
        return self.last, imagine(self.last.rules, self.last.observation, {})


def _numbers(position: Imagined, seat: Seat) -> tuple[int, int]:
    owners = [owner(content) for content in position.cells if is_piece(content)]
    return owners.count(seat), owners.count(seat.other)


def _value(rules: Ruleset, position: Imagined, seat: Seat) -> float:
    if position.outcome:
        winner = position.outcome.winner
        return 0.0 if winner is None else WON if winner is seat else -WON
    own, foe = _numbers(position, seat)
    free = sum(1 for _ in islice(rules.legal_moves(position, position.turn), MAX_MOVES))
    return PIECE * (own - foe) + (free if position.turn is seat else -free) * 0.1
