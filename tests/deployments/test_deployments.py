"""Set-ups: legal in every edition, never twice the same, and as many patterns as promised."""

from random import Random

import pytest

from games.deployments import assaut, domino, lattaque, tactique
from games.deployments.registry import deploy
from games.rules.core.pieces import Seat
from games.rules.core.ruleset import Ruleset
from games.rules.registry import presets, ruleset

SEEDS = 120


def deployed(rules: Ruleset, seat: Seat, seed: int) -> str:
    rng = Random(seed)
    position = rules.start(rng)
    text = deploy(rules, seat, rules.hand(position, seat), rng)
    assert not rules.check_setup(seat, text, position), text
    return text


@pytest.mark.parametrize("rules", presets(), ids=lambda rules: rules.key)
def test_every_set_up_is_legal(rules: Ruleset) -> None:
    for seat in rules.seats_setting_up:
        for seed in range(40):
            deployed(rules, seat, seed)


@pytest.mark.parametrize("key", ["lattaque-en", "lattaque-gibson", "domino", "tactique"])
def test_no_two_seeds_set_up_alike(key: str) -> None:
    rules = ruleset(key)
    for seat in Seat:
        assert len({deployed(rules, seat, seed) for seed in range(SEEDS)}) == SEEDS


@pytest.mark.parametrize(
    "patterns",
    [lattaque.BROAD, lattaque.NARROW, domino.PATTERNS, tactique.PATTERNS, assaut.PATTERNS],
)
def test_there_are_a_dozen_patterns_and_more(patterns: tuple[str, ...]) -> None:
    assert len(set(patterns)) >= 12


def test_the_flag_stands_at_the_back_with_bombs_beside_it() -> None:
    rules = ruleset("lattaque-en")
    for seed in range(30):
        rows = deployed(rules, Seat.NORTH, seed).split("/")
        assert "F" in rows[0] + rows[1]
        assert "B" in rows[0] + rows[1]


def test_both_officers_places_are_mirrored() -> None:
    rules = ruleset("assaut")
    assert len({deployed(rules, Seat.NORTH, seed) for seed in range(200)}) > len(assaut.PATTERNS)
