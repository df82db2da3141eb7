"""The thinking child process: it answers within its limits, and a recruit if a fork dies."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from accounts.models import User
from games.house import house_accounts
from games.house.thinking import child_client, child_server
from games.play.models.match import Match
from games.play.record.seat_history import seat_history
from games.play.record.seat_lines import lines_of
from tests import tiers
from tests.house.conftest import house_of, let_answer, move_first

Lines = list[dict[str, Any]]
PLANTED = (
    "import sys, os; sys.path.insert(0, sys.argv[1])\n"
    "from games.house.thinking import child_server\n"
    "from games.bots.player import Player\n"
    "right = Player.answer\n"
    "def wrong(self, line):\n"
    "    if self.level.name == 'marshal':\n"
    "        {fault}\n"
    "    return right(self, line)\n"
    "Player.answer = wrong\n"
    "child_server.serve()\n"
)
DEATHS = {
    "it takes all memory": "held = [bytearray(1 << 20) for _ in range(1 << 20)]",
    "it dies": "os.kill(os.getpid(), 9)",
    "its stack overflows": "f = lambda: f(); f()",
}


@pytest.fixture
def lines(against: Callable[..., Match], alice: User) -> Lines:
    match = against()
    move_first(match, alice)
    history = seat_history(match.pk, house_of(match))
    assert history
    return lines_of(history)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    def plant(fault: str) -> None:
        child_client.stop()
        monkeypatch.setattr(child_client.child, "program", PLANTED.format(fault=fault))

    yield plant
    child_client.stop()


@pytest.mark.parametrize(
    ("preset", "level"),
    tiers.parameters(
        product(("lattaque-en", "domino", "tactique", "assaut"), house_accounts.LEVELS),
        fast=(
            ("lattaque-en", "sergeant"),
            ("domino", "recruit"),
            ("tactique", "marshal"),
            ("assaut", "sergeant"),
        ),
    ),
)
def test_every_level_answers_within_its_limits(
    against: Callable[..., Match], alice: User, preset: str, level: str
) -> None:
    match = against(preset)
    move_first(match, alice)
    history = seat_history(match.pk, house_of(match))
    assert history
    thought = child_client.think(lines_of(history), 3, level)
    assert thought.evaluations, "A recruit answered in its place."


@pytest.mark.parametrize("death", tiers.parameters(DEATHS, fast=("it takes all memory", "it dies")))
def test_a_recruit_answers_if_the_fork_dies(
    planted: Callable[[str], None], lines: Lines, death: str
) -> None:
    as_recruit = child_client.think(lines, 1, "recruit").move
    planted(DEATHS[death])
    assert child_client.think(lines, 1, "marshal").move == as_recruit
    child_client.stop()


def test_a_child_process_that_dies_is_started_again(lines: Lines) -> None:
    before = child_client.think(lines, 1, "recruit")
    process = child_client.child.process
    assert process
    process.kill()
    process.wait()
    assert child_client.think(lines, 1, "recruit") == before


def test_beliefs_are_probabilities_for_each_enemy_square(
    against: Callable[..., Match], alice: User
) -> None:
    match = against()
    for _ in range(2):
        move_first(match, alice)
        let_answer(match)
    history = seat_history(match.pk, house_of(match))
    assert history
    beliefs = child_client.beliefs(lines_of(history), 1, "marshal")
    assert len(beliefs) > 30
    assert all(abs(sum(chances.values()) - 1) < 0.01 for chances in beliefs.values())


def test_the_limits_are_those_of_the_documentation() -> None:
    assert child_server.LIMITS.memory_bytes <= 200 * 1024 * 1024
