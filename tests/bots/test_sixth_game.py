"""A new game has house opponents at once, by the interface of the rules alone."""

from collections.abc import Iterator

import pytest

from games.rules import registry
from tests.bots.seats import match
from tests.sixth_game import outpost

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def outpost_is_registered() -> Iterator[None]:
    registry.register(outpost.EDITIONS)
    yield
    registry.withdraw(outpost.PLAIN.family)


@pytest.mark.rotated(3)
@pytest.mark.parametrize("preset", ["outpost", "outpost-open"])
@pytest.mark.parametrize("level", ["recruit", "sergeant", "marshal"])
def test_every_level_plays_it_without_an_illegal_answer(preset: str, level: str) -> None:
    played = match(preset, (level, "recruit"), seed=3)
    assert not played.forfeit
    assert played.reason


def test_a_sergeant_beats_chance_in_it() -> None:
    points = 0.0
    for seed in range(6):
        levels = ("sergeant", "random") if seed % 2 else ("random", "sergeant")
        played = match("outpost", levels, seed)
        points += 0.5 if played.winner is None else played.winner == levels.index("sergeant")
    assert points >= 5
