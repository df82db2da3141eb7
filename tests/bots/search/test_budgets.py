"""Budgets are counts: they bound the nodes of an answer in every game, whatever the time."""

from dataclasses import replace

import pytest

from games.bots.levels import MARSHAL, RECRUIT, SERGEANT, Level
from games.bots.player import Player
from games.bots.search.forced_wins import SAMPLES
from tests import tiers
from tests.bots.seats import match
from tests.floors import at_least

pytestmark = pytest.mark.long

MAX_LEGAL_MOVES = 250  # legal moves; charges of Tactique are the most
MAX_DEFENCES = 20  # against one threat: a piece or two for each square on its path


@pytest.mark.parametrize(
    "preset", tiers.parameters(("lattaque-en", "domino", "tactique"), fast=("tactique",))
)
@pytest.mark.parametrize("level", [RECRUIT, SERGEANT])
def test_samples_bound_the_nodes_of_a_level_without_search(preset: str, level: Level) -> None:
    played = match(preset, ("recruit", "recruit"), seed=3, answers=14)
    player = Player(3, level)
    lines = played.lines[0][: len(played.answers[0])]
    for line in lines[:-1]:
        player.update(line)
    assert player.answer(lines[-1])
    assert 0 < player.nodes <= MAX_LEGAL_MOVES * (1 + level.samples * MAX_LEGAL_MOVES)


@pytest.mark.parametrize(
    ("budget", "count"),
    tiers.parameters(
        [(3_000, 8), (1, 20), (3_000, 20), (MARSHAL.forced_win_moves, 20)], fast=[(3_000, 8)]
    ),
)
def test_a_limit_on_moves_bounds_the_search_for_forced_wins(budget: int, count: int) -> None:
    played = match("tactique", ("recruit", "recruit"), seed=3, answers=count)
    player = Player(3, replace(MARSHAL, forced_win_moves=budget))
    # Own forced wins are searched for every move, and the enemy's for one at least.
    one_search = SAMPLES * MAX_LEGAL_MOVES * MAX_DEFENCES
    for line in at_least(count * 3 // 4, played.lines[0][: len(played.answers[0])]):
        assert player.answer(line)
        assert player.nodes <= budget + 2 * one_search + MAX_LEGAL_MOVES
