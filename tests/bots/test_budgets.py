"""Budgets are counts: how far a marshal looks is bounded whatever the game, and never by time."""

import pytest

from games.bots.brains import hidden, worlds
from games.bots.brains.search import A_POSITION, BUDGET, Search
from games.bots.brains.worlds import FEWEST_WORLDS, WIDTH, Worlds
from games.bots.levels import MARSHAL, SERGEANT, Level
from games.bots.player import Player
from games.rules.core.imagine import Imagined
from tests.bots.seats import match

pytestmark = pytest.mark.long

MOST_OF_A_POSITION = 250  # legal moves; charges of Tactique are the most
# After a move, three plies deep: captures, strikes, answers to captures, and passing.
MOST_POSITIONS = 10 * 10 * 10
MOST_BATTLES = 100  # of one side in one position


@pytest.mark.parametrize("preset", ["lattaque-en", "domino", "tactique"])
@pytest.mark.parametrize("level", [SERGEANT, MARSHAL], ids=lambda level: level.name)
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
    fears = FEWEST_WORLDS * MOST_OF_A_POSITION * MOST_OF_A_POSITION
    assert 0 < search.looked <= max(level.looked, FEWEST_WORLDS * world) + world + fears


def worlds_drawn(preset: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many worlds a marshal draws for one answer early in a match."""
    played = match(preset, ("recruit", "recruit"), seed=5, answers=10)
    lines = played.told[0][: len(played.answers[0])]
    player = Player(5, MARSHAL)
    for line in lines[:-1]:
        player.hear(line)
    drawn: list[object] = []

    class Counted(Worlds):
        def _world(self) -> Imagined:
            drawn.append(self)
            return super()._world()

    monkeypatch.setattr(hidden, "Worlds", Counted)
    assert player.answer(lines[-1])
    return len(drawn)


def test_more_worlds_are_drawn_where_there_is_less_to_look_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few, many = (worlds_drawn(preset, monkeypatch) for preset in ("tactique", "domino"))
    assert FEWEST_WORLDS <= few < many <= MARSHAL.worlds
