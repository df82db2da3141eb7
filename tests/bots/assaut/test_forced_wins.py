"""Forced wins of Assaut in three and five plies: few of many are missed.

An exhaustive solver found the positions (forced_wins.py), in all editions and for both sides.
"""

from collections import Counter
from collections.abc import Collection
from itertools import product
from random import Random

import pytest

from games.bots.assaut.bitboard import edition_tables
from games.bots.levels import MARSHAL, RECRUIT, SERGEANT, Level
from games.rules.core.text.notation import read_position
from games.rules.registry import ruleset
from tests import tiers
from tests.bots.assaut.forced_wins import (
    EDITIONS,
    Solver,
    Win,
    late_positions,
    node_of,
    plies_to_win,
    read,
)
from tests.bots.assaut.test_search import answer, wins

WINS = read()
SAMPLE = 3  # of each edition and number of plies, which the rules' own engine solves
NEARLY_ALWAYS = 0.95


def keeps_the_win(win: Win, seed: int, level: Level) -> bool:
    """Whether a house opponent's answer still wins by force, in what is left of the plies."""
    rules = ruleset(win.preset)
    position = read_position(rules, win.text)
    after = answer(rules, position, seed, level)
    return Solver(edition_tables(rules), position.turn).wins(node_of(after), win.plies - 1)


def missed_wins(plies: int, level: Level, presets: Collection[str] = EDITIONS) -> list[Win]:
    those = [win for win in WINS if win.plies == plies]
    return [
        win
        for seed, win in enumerate(those)
        if win.preset in presets and not keeps_the_win(win, seed, level)
    ]


def test_there_are_positions_of_every_edition_and_side_also_with_huffing() -> None:
    kinds = Counter((win.preset, win.side, win.plies) for win in WINS)
    assert set(kinds) == set(product(EDITIONS, "SO", (3, 5)))
    assert min(kinds.values()) >= 5
    for plies in (3, 5):
        assert sum(win.plies == plies for win in WINS) >= 60
        # Points of officers that may be huffed stand at the end.
        assert sum(win.plies == plies and win.text[-1] != "-" for win in WINS) >= 10
    assert len({win.text.split(" ")[0] for win in WINS}) > 0.9 * len(WINS)


@pytest.mark.soak
def test_each_position_is_won_in_its_plies_and_no_fewer() -> None:
    for win in WINS:
        rules = ruleset(win.preset)
        assert plies_to_win(rules, read_position(rules, win.text)) == win.plies, win


@pytest.mark.long
@pytest.mark.parametrize("preset", tiers.parameters(EDITIONS, fast=("assaut",)))
def test_the_solver_agrees_with_the_rules(preset: str) -> None:
    """Of wins, and of positions that are mostly none."""
    rules, rng = ruleset(preset), Random(preset)
    for plies in (3, 5):
        those = [win for win in WINS if (win.preset, win.plies) == (preset, plies)]
        for win in rng.sample(those, SAMPLE):
            position = read_position(rules, win.text)
            assert wins(rules, position, position.turn, plies)
            assert not wins(rules, position, position.turn, plies - 2)
    others = list(late_positions(rules, rng))
    for position in rng.sample(others, min(len(others), 2 * SAMPLE)):
        shortest = plies_to_win(rules, position, 3)
        for plies in (1, 3):
            expected = shortest is not None and shortest <= plies
            assert wins(rules, position, position.turn, plies) is expected


@pytest.mark.parametrize("preset", tiers.parameters(EDITIONS, fast=("assaut",)))
def test_a_marshal_misses_no_win_in_three(preset: str) -> None:
    assert missed_wins(3, MARSHAL, (preset,)) == []


@pytest.mark.soak
def test_a_sergeant_misses_no_win_in_three() -> None:
    assert missed_wins(3, SERGEANT) == []


@pytest.mark.soak
@pytest.mark.long
def test_a_marshal_nearly_always_finds_a_win_in_five() -> None:
    lost = missed_wins(5, MARSHAL)
    assert len(lost) <= (1 - NEARLY_ALWAYS) * sum(win.plies == 5 for win in WINS), lost


@pytest.mark.parametrize("plies", tiers.parameters((3, 5), fast=(3,)))
def test_the_positions_are_hard_for_a_recruit(plies: int) -> None:
    """It looks one ply ahead."""
    assert len(missed_wins(plies, RECRUIT)) > 10
