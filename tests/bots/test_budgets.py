"""Budgets are counts: how far a marshal looks is bounded whatever the game, and never by time."""

from dataclasses import replace

import pytest

from games.bots.levels import MARSHAL, RECRUIT, SERGEANT, Level
from games.bots.player import Player
from games.bots.search.forced_wins import WORLDS
from tests.bots.seats import match
from tests.floors import at_least

pytestmark = pytest.mark.long

MOST_OF_A_POSITION = 250  # legal moves; charges of Tactique are the most
MOST_PARRIES = 20  # of one threat: a piece or two for each square on its way


@pytest.mark.parametrize("preset", ["lattaque-en", "domino", "tactique"])
@pytest.mark.parametrize("level", [RECRUIT, SERGEANT])
def test_what_a_level_without_a_search_looks_at_is_bounded_by_its_worlds(
    preset: str, level: Level
) -> None:
    played = match(preset, ("recruit", "recruit"), seed=3, answers=14)
    player = Player(3, level)
    lines = played.told[0][: len(played.answers[0])]
    for line in lines[:-1]:
        player.hear(line)
    assert player.answer(lines[-1])
    assert 0 < player.looked <= MOST_OF_A_POSITION * (1 + level.worlds * MOST_OF_A_POSITION)


@pytest.mark.parametrize("most", [1, 3_000, MARSHAL.sieges])
def test_a_count_of_moves_bounds_the_search_for_sieges(most: int) -> None:
    played = match("tactique", ("recruit", "recruit"), seed=3, answers=20)
    player = Player(3, replace(MARSHAL, sieges=most))
    # Whether it begins one is looked up of every move; of the others one is ended at the least.
    begun = WORLDS * MOST_OF_A_POSITION * MOST_PARRIES
    for line in at_least(15, played.told[0][: len(played.answers[0])]):
        assert player.answer(line)
        assert player.looked <= most + 2 * begun + MOST_OF_A_POSITION
