"""Whole games to play through a browser: legal, short, and with the wanted kinds of moves."""

from collections.abc import Callable
from random import Random

from games.rules.core import engine
from games.rules.core.basics.pieces import BySeat
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text import notation


def deployed(rules: Ruleset, setups: BySeat[str]) -> Position:
    """The position before the first move."""
    position = engine.begin(rules, None)
    for seat in rules.seats_setting_up:
        setup = notation.read_setup(rules, seat, setups[seat])
        position, _ = engine.advance(rules, position, seat, setup)
    return position


def whole_game(
    rules: Ruleset, setups: BySeat[str], wanted: Callable[[list[str]], bool], longest: int = 12
) -> list[str]:
    """The moves of a finished game that has what is wanted; deterministic."""
    start = deployed(rules, setups)
    for seed in range(5_000):
        moves, ended = _random_game(rules, start, Random(seed), longest)
        if ended and wanted(moves):
            return moves
    raise LookupError(f"No game of {rules.key} has all that is wanted.")


def _random_game(
    rules: Ruleset, position: Position, rng: Random, longest: int
) -> tuple[list[str], bool]:
    texts: list[str] = []
    while position.outcome is None and len(texts) < longest:
        move = rng.choice(list(rules.legal_moves(position, position.turn)))
        texts.append(notation.write_move(rules, move))
        position, _ = rules.apply(position, position.turn, move)
    return texts, position.outcome is not None
