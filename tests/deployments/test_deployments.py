"""Good set-ups: legal in every edition, different for every seed, from a dozen patterns."""

from random import Random

import pytest

from games.deployments import assaut, domino, lattaque, tactique
from games.deployments.registry import deploy
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.registry import editions, ruleset
from tests import tiers

SEEDS = 120


def deployed(rules: Ruleset, seat: Seat, seed: int) -> str:
    rng = Random(seed)
    position = rules.start(rng)
    text = deploy(rules, seat, rules.hand(position, seat), rng)
    assert not rules.check_setup(seat, text, position), text
    return text


@tiers.each_ruleset(editions())
def test_every_set_up_is_legal(rules: Ruleset) -> None:
    for seat in rules.seats_setting_up:
        for seed in range(40):
            deployed(rules, seat, seed)


@pytest.mark.parametrize(
    "key", ["lattaque-en", "lattaque-gibson", "domino", "tactique", "tactique-step"]
)
def test_no_two_seeds_give_the_same_set_up(key: str) -> None:
    rules = ruleset(key)
    for seat in Seat:
        assert len({deployed(rules, seat, seed) for seed in range(SEEDS)}) == SEEDS


@pytest.mark.parametrize(
    "patterns",
    [
        lattaque.BROAD,
        lattaque.NARROW,
        domino.PATTERNS,
        tactique.PATTERNS,
        tactique.STEP_PATTERNS,
        assaut.PATTERNS,
    ],
)
def test_there_are_at_least_a_dozen_patterns(patterns: tuple[str, ...]) -> None:
    assert len(set(patterns)) >= 12


@pytest.mark.parametrize("key", ["lattaque-en", "lattaque-gibson"])
def test_the_flag_is_at_the_back_and_only_miners_can_reach_it(key: str) -> None:
    rules = ruleset(key)
    board = rules.board
    for seat in Seat:
        for seed in range(SEEDS):
            setup, _ = rules.parse_setup(seat, deployed(rules, seat, seed))
            ranks = {
                cell: rules.rank_of(setup.cells[cell]) for cell in board.cells if setup.cells[cell]
            }
            (flag,) = (cell for cell, rank in ranks.items() if rank == "F")
            assert flag // board.stride + 1 in ((1, 2) if seat is Seat.SOUTH else (9, 10))
            neighbours = {flag + step for step in (1, -1, board.stride, -board.stride)}
            assert {ranks[cell] for cell in neighbours & set(board.cells)} == {"B"}


def rows_of(rules: Ruleset, seat: Seat, text: str) -> list[str]:
    """The ranks of a set-up by its rows, from the front to the back."""
    setup, _ = rules.parse_setup(seat, text)
    rows = [
        "".join(
            rules.rank_of(setup.cells[cell])
            for cell in rules.board.row(number)
            if setup.cells[cell]
        )
        for number in rules.setup_rows(seat)
    ]
    return rows if seat is Seat.SOUTH else rows[::-1]


@pytest.mark.parametrize("key", ["tactique-step", "tactique-step-convert"])
def test_step_by_step_commanders_are_in_front_and_archers_behind_them(key: str) -> None:
    rules = ruleset(key)
    for seat in Seat:
        for seed in range(SEEDS):
            _, third, second, first = rows_of(rules, seat, deployed(rules, seat, seed))
            assert third.count("C") == 2
            assert second.count("A") == 4
            assert "F" in first


@pytest.mark.parametrize(
    "key", ["tactique", "tactique-convert", "tactique-straight", "tactique-volley-all"]
)
def test_pieces_in_the_front_are_cheap(key: str) -> None:
    rules = ruleset(key)
    for seat in Seat:
        for seed in range(SEEDS):
            front, third, _, _ = rows_of(rules, seat, deployed(rules, seat, seed))
            assert set(front + third) == {"P", "I"}


def test_the_places_of_both_officers_are_mirrored() -> None:
    rules = ruleset("assaut")
    assert len({deployed(rules, Seat.NORTH, seed) for seed in range(200)}) > len(assaut.PATTERNS)
