"""Repetitions counted from the public texts of turns are those of the engine (C9)."""

from random import Random

import pytest

from games.rules.core.basics.moves import Attack, Move, Walk
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance
from games.rules.core.knowledge.repetitions import repetitions, turns_needed
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import NO_SHUTTLES
from games.rules.core.text import notation
from games.rules.registry import editions, ruleset
from games.rules.simulation import random_opening
from tests import tiers

PLIES = 160
RULES = [
    *editions(),
    ruleset("lattaque-en", {"two_square": 7}),
    ruleset("domino", {"two_square": 3}),
    ruleset("tactique", {"two_square": 5}),
    ruleset("tactique", {"two_square": 0}),
]


def back_and_forth(moves: tuple[Move, ...], last: Move | None, rng: Random) -> Move:
    """A random move, usually the one that takes back the side's last step if it is legal."""
    if isinstance(last, Walk | Attack) and rng.random() < 0.8:
        for move in moves:
            if isinstance(move, Walk) and (move.source, move.target) == (last.target, last.source):
                return move
    return rng.choice(moves)


@tiers.each_ruleset(RULES)
@pytest.mark.parametrize("seed", tiers.parameters(range(3), fast=(0,)))
def test_the_public_texts_give_the_repetitions_of_the_engine(rules: Ruleset, seed: int) -> None:
    rng = Random(f"{rules.key}/{seed}")
    position = random_opening(rules, rng)
    heard: list[tuple[Seat, str]] = []
    last: dict[Seat, Move] = {}
    most = 0
    for _ in range(PLIES):
        if position.outcome:
            break
        seat = position.turn
        move = back_and_forth(tuple(rules.legal_moves(position, seat)), last.get(seat), rng)
        position, events = advance(rules, position, seat, move)
        last[seat] = move
        heard.append((seat, notation.annotate(rules, move, witness(events, Viewpoint.GALLERY))))
        assert repetitions(rules, heard) == position.shuttles
        needed = turns_needed(rules)
        assert repetitions(rules, heard[-needed:] if needed else []) == position.shuttles
        most = max(most, *(shuttle.times for shuttle in position.shuttles))
    assert most == rules.repeats_counted or position.shuttles == NO_SHUTTLES
