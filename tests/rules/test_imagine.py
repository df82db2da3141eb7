"""Imagined positions: the same seat observes the same of an imagined position."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.imagined_positions import imagine, remaining
from games.rules.core.observation import Observation, observe
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.registry import editions
from games.rules.simulation import random_opening
from tests import tiers

PRESETS = [rules for rules in editions() if not getattr(rules, "convert", False)]


def middle_of_a_game(rules: Ruleset, seed: int, plies: int) -> Position:
    """A position of a random game; its last one if the game is shorter."""
    rng = Random(seed)
    position = random_opening(rules, rng)
    for _ in range(plies):
        if position.outcome:
            break
        moves = tuple(rules.legal_moves(position, position.turn))
        position, _ = rules.apply(position, position.turn, rng.choice(moves))
    return position


def guessed_ranks(rules: Ruleset, seen: Observation, seat: Seat, rng: Random) -> dict[str, Rank]:
    """Ranks for the unknown pieces, drawn from what is left of the army."""
    unknown = [(square, one) for square, one in seen.pieces.items() if one.rank is None]
    left = list(remaining(rules, seen)[seat.other].elements())
    rng.shuffle(left)
    ranks = {}
    # Marked ones first, since not every piece can be marked.
    for square, one in sorted(unknown, key=lambda pair: not pair[1].marks):
        rank = next(r for r in left if rules.stands_as(r, marked=bool(one.marks)))
        left.remove(rank)
        ranks[square] = rng.choice(rules.stands_as(rank, marked=bool(one.marks)))
    return ranks


@tiers.each_ruleset(PRESETS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), plies=st.integers(0, 120), guess=st.integers(0, 1_000))
def test_an_imagined_position_gives_the_same_observation(
    rules: Ruleset, seed: int, plies: int, guess: int
) -> None:
    truth = middle_of_a_game(rules, seed, plies)
    for seat in Seat:
        seen = observe(rules, truth, Viewpoint.of_seat(seat))
        ranks = guessed_ranks(rules, seen, seat, Random(guess))
        world = imagine(rules, seen, ranks, truth.shuttles)
        again = observe(rules, world, Viewpoint.of_seat(seat))
        assert replace(again, moves=()) == replace(seen, moves=())
        assert set(again.moves) == set(seen.moves)


@pytest.mark.parametrize("rules", PRESETS, ids=lambda rules: rules.key)
def test_the_remaining_pieces_are_the_unknown_ones(rules: Ruleset) -> None:
    truth = middle_of_a_game(rules, 7, 60)
    seen = observe(rules, truth, Viewpoint.SOUTH)
    open_to_all = observe(rules, truth, Viewpoint.OPEN)
    hidden = Counter(
        rules.enlisted_as(one.rank, marked=bool(one.marks))
        for square, one in open_to_all.pieces.items()
        if one.rank is not None and seen.pieces[square].rank is None
    )
    left = remaining(rules, seen)[Seat.NORTH]
    assert hidden <= left


def test_imagining_uses_nothing_of_the_true_position() -> None:
    rules = PRESETS[0]
    truth = middle_of_a_game(rules, 3, 40)
    seen = observe(rules, truth, Viewpoint.SOUTH)
    ranks = guessed_ranks(rules, seen, Seat.SOUTH, Random(5))
    world = imagine(rules, seen, ranks)
    assert world.cells != truth.cells
    assert repr(world).count("?") == 0
