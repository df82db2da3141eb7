"""Random playouts and their statistics; set-ups and moves are drawn uniformly."""

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from random import Random

from games.rules.core.engine import advance, begin
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.game_record import result_of


@dataclass
class Counts:
    """Statistics of random games. A ply is one turn; set-ups do not count."""

    rules: Ruleset
    lengths: list[int] = field(default_factory=list)
    legal: int = 0
    results: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)

    @property
    def plies(self) -> int:
        return sum(self.lengths)

    def summary(self, plies_per_second: int) -> dict[str, object]:
        """The figures as `simulate` prints them."""
        games = len(self.lengths)
        mean = self.plies / games
        squares = sum((length - mean) ** 2 for length in self.lengths)
        return {
            "games": games,
            "plies_mean": round(mean, 2),
            "plies_sd": round(sqrt(squares / (games - 1)), 2) if games > 1 else 0.0,
            "legal_mean": round(self.legal / self.plies, 2) if self.plies else 0.0,
            "plies_per_second": plies_per_second,
            "result": {
                result: self.results[result] for result in (*self.rules.seat_letters, "draw")
            },
            "endings": dict(self.endings.most_common()),
        }


def simulate(rules: Ruleset, games: int, seed: int) -> Counts:
    """Statistics of at least one random game. The same seed plays the same games."""
    rng = Random(seed)  # noqa: S311 - no secret depends on it.
    counts = Counts(rules)
    for _ in range(games):
        position, listed = playout(rules, random_opening(rules, rng), rng)
        counts.lengths.append(position.ply)
        counts.legal += listed
        if position.outcome:
            result = result_of(rules, position.outcome)
            counts.results[result] += 1
            counts.endings[f"{result}: {position.outcome.reason}"] += 1
    return counts


def random_opening(rules: Ruleset, rng: Random) -> Position:
    """The position after random set-ups."""
    position = begin(rules, rng)
    while position.awaited:
        seat = position.awaited[0]
        setup = rules.random_setup(seat, rng, position)
        position, _ = advance(rules, position, seat, setup)
    return position


def playout(rules: Ruleset, position: Position, rng: Random) -> tuple[Position, int]:
    """The last position of a random game, and the number of legal moves listed on the way."""
    listed = 0
    while position.outcome is None:
        seat = position.turn
        moves = tuple(rules.legal_moves(position, seat))
        listed += len(moves)
        position, _ = rules.apply(position, seat, rng.choice(moves))
    return position, listed
