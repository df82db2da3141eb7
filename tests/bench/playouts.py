"""P5: random games by our rules, compared with python-chess."""

from collections.abc import Iterator
from functools import partial
from random import Random

import chess

from games.rules import registry
from games.rules.simulation import simulate
from tests.bench.meter import Effort, compare, cpu_here, take_turns
from tests.bench.report import Goal, Result

GAMES = {
    "lattaque-en": (Goal(must=3, aim=6, least=True), 8),
    "domino": (Goal(must=3, aim=6, least=True), 20),
    "tactique": (Goal(must=1.5, aim=3, least=True), 15),
    "assaut": (Goal(must=1.5, aim=3, least=True), 30),
}
CHESS = 12  # games in a round


def measure(effort: Effort) -> Iterator[Result]:
    rates = {"chess": partial(_chess, Random(1), effort.times(CHESS))}
    for preset, (_goal, games) in GAMES.items():
        rates[preset] = partial(_ours, preset, Random(1), effort.times(games))
    figures = take_turns(rates, effort.rounds)
    for preset, (goal, _games) in GAMES.items():
        comparison = compare(figures[preset], figures["chess"])
        yield Result(
            "P5",
            f"random playout, {preset}",
            f"{comparison.one:,.0f} plies/s",
            f"python-chess {comparison.other:,.0f} plies/s",
            comparison.ratio,
            goal,
        )


def _ours(preset: str, dice: Random, games: int) -> float:
    """Plies a second of CPU, set-ups included."""
    rules, plies = registry.ruleset(preset), 0

    def play() -> None:
        nonlocal plies
        plies = simulate(rules, games, dice.getrandbits(32)).plies

    seconds = cpu_here(play)
    return plies / seconds


def _chess(dice: Random, games: int) -> float:
    plies = 0

    def play() -> None:
        nonlocal plies
        for _ in range(games):
            board = chess.Board()
            while moves := list(board.legal_moves):
                board.push(dice.choice(moves))
                plies += 1
                if board.is_game_over():
                    break

    seconds = cpu_here(play)
    return plies / seconds
