"""Budgets are counts: how far a marshal looks is bounded whatever the game, and never by time."""

from dataclasses import replace
from random import Random

import pytest

from games.bots.brains import hidden, worlds
from games.bots.brains.search import A_POSITION, BUDGET, Search
from games.bots.brains.sieges import Sieges
from games.bots.brains.situation import Situation
from games.bots.brains.worlds import FIRST_WORLDS, WIDTH, drawn_world
from games.bots.levels import MARSHAL, SERGEANT, Level
from games.bots.player import Player
from games.rules.core.imagine import Imagined
from tests.bots.seats import match

pytestmark = pytest.mark.long

MOST_OF_A_POSITION = 250  # legal moves; charges of Tactique are the most
# After a move, three plies deep: captures, strikes, answers to captures, and passing.
MOST_POSITIONS = 10 * 10 * 10
MOST_BATTLES = 100  # of one side in one position


@pytest.mark.parametrize(
    ("preset", "level"),
    [
        ("lattaque-en", SERGEANT),
        ("lattaque-en", MARSHAL),
        ("domino", SERGEANT),
        ("tactique", SERGEANT),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_count_of_moves_bounds_an_answer(
    preset: str, level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches: list[Search] = []
    weighed = 0

    class Kept(Search):
        def __init__(self, *parts: object) -> None:
            super().__init__(*parts)  # type: ignore[arg-type]
            searches.append(self)

        def search(self, *parts: object) -> float:
            nonlocal weighed
            weighed += 1
            return super().search(*parts)  # type: ignore[arg-type]

    monkeypatch.setattr(worlds, "Search", Kept)
    played = match(preset, ("recruit", "recruit"), seed=3, answers=14)
    player = Player(3, level)
    lines = played.told[0][: len(played.answers[0])]
    for line in lines[:-1]:
        player.hear(line)
    assert player.answer(lines[-1])
    (search,) = searches
    # Late in a match worlds are alike and their moves known, so that positions have to count too.
    assert search.looked > weighed * A_POSITION
    world = WIDTH * (BUDGET + MOST_OF_A_POSITION + MOST_POSITIONS * A_POSITION)
    world += MOST_BATTLES * (A_POSITION + MOST_OF_A_POSITION)
    fears = FIRST_WORLDS * MOST_OF_A_POSITION * MOST_OF_A_POSITION
    assert 0 < search.looked <= max(level.looked, FIRST_WORLDS * world) + world + fears


def worlds_drawn(looked: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many worlds a marshal draws who may look at so many moves, early in a match."""
    played = match("lattaque-en", ("recruit", "recruit"), seed=5, answers=10)
    lines = played.told[0][: len(played.answers[0])]
    player = Player(5, replace(MARSHAL, looked=looked))
    for line in lines[:-1]:
        player.hear(line)
    drawn: list[Imagined] = []

    def counted(situation: Situation, rng: Random) -> Imagined:
        drawn.append(drawn_world(situation, rng))
        return drawn[-1]

    monkeypatch.setattr(worlds, "drawn_world", counted)
    assert player.answer(lines[-1])
    return len(drawn)


def test_more_worlds_are_drawn_where_more_may_be_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, many = (worlds_drawn(looked, monkeypatch) for looked in (60_000, MARSHAL.looked))
    assert FIRST_WORLDS <= few < many <= MARSHAL.worlds


def test_a_count_of_moves_bounds_the_search_for_sieges(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Sieges] = []

    class Kept(Sieges):
        def __init__(self, *parts: object) -> None:
            super().__init__(*parts)  # type: ignore[arg-type]
            searched.append(self)

    monkeypatch.setattr(hidden, "Sieges", Kept)
    played = match("tactique", ("recruit", "recruit"), seed=3, answers=20)
    player = Player(3, replace(MARSHAL, sieges=20_000))
    for line in played.told[0][: len(played.answers[0])]:
        assert player.answer(line)
        for one in searched:
            assert -2 * MOST_OF_A_POSITION < one.left < one.most_looked
    assert any(one.left <= 0 for one in searched)
