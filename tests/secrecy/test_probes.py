"""Every pair of squares, tried as a move: the answer does not depend on hidden ranks.

This is the exhaustive form of what the twins try at random.
"""

from itertools import product
from random import Random

import pytest

from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.notation import read_move, write_move
from tests import tiers
from tests.secrecy.games import Game, end, random_game, twin

pytestmark = pytest.mark.long

# Where armies are open, nothing else can be true.
PRESETS = [rules.key for rules in registry.editions() if rules.hidden]
PLIES = (13, 20)  # North's turn after the first, South's after the second
TRIES = 100  # games; few end this soon or have no twin


def answer(rules: Ruleset, position: Position, seat: Seat, text: str) -> str:
    try:
        return write_move(rules, read_move(rules, position, seat, text))
    except Refusal as refusal:
        return f"{type(refusal).__name__}: {refusal}"


def truths(rules: Ruleset, rng: Random, plies: int) -> tuple[Game, Game]:
    """A game of this many plies, and its twin on the side that has just moved."""
    for _ in range(TRIES):
        game = random_game(rules, rng, plies)
        other = None if game.outcome else twin(game, Seat(1 - plies % 2), rng)
        if other:
            return game, other
    pytest.fail(f"In {TRIES} games of {rules.key} none was found that has a twin.")


@pytest.mark.parametrize(
    ("preset", "plies"),
    tiers.parameters(
        product(PRESETS, PLIES),
        fast=[("lattaque-zh", 13), ("domino", 20), ("tactique-volley-all", 13)],
    ),
)
def test_every_pair_of_squares_gets_the_same_answer(preset: str, plies: int) -> None:
    rules, rng = registry.ruleset(preset), Random(preset)
    one, other = (end(game) for game in truths(rules, rng, plies))
    for squares in product(rules.board.squares, repeat=2):
        text = "-".join(squares)
        given = [answer(rules, truth, one.turn, text) for truth in (one, other)]
        assert given[0] == given[1], f"{text} betrays something: {given}"


@pytest.mark.parametrize("preset", tiers.editions(PRESETS))
def test_any_text_gets_the_same_answer(preset: str) -> None:
    rules, rng = registry.ruleset(preset), Random(preset)
    one, other = (end(game) for game in truths(rules, rng, PLIES[0]))
    for _ in range(2000):
        squares = rng.choices(rules.board.squares, k=rng.choice((1, 2, 3, 3, 4)))
        text = "".join(square + rng.choice("-x- ") for square in squares)[:-1]
        text = rng.choice(("", "", "", "*a1,")) + text
        seat = Seat(rng.randrange(2))
        given = [answer(rules, truth, seat, text) for truth in (one, other)]
        # On the victim's own turn the victim tries.
        assert given[0] == given[1] or seat is not one.turn, f"{text} betrays something: {given}"
