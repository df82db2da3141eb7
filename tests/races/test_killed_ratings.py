"""Kills while results are counted and corrected ones replayed, on real PostgreSQL.

A worker is killed at any statement, or right before or after a commit. Once the tasks have run
again, the units with their numbers, the ratings and the rows of the outbox are those of a course
without a kill.
"""

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from tests.servers import Postgres
from tests.stack import Stack

# With two kills of counting and two of replays in each.
ROUNDS = int(os.environ.get("RATING_ROUNDS", "30"))


def killed(
    stack: Callable[..., Stack], postgres: Postgres, course: str, rounds: int, seed: int
) -> Any:
    service = stack(database_url=postgres.create("ratings"), web=0, workers=0, beat=0)
    script = (
        "from tests.races import kills, rating_course\n"
        f"kills.compare(rating_course.{course}, rounds={rounds}, seed={seed})"
    )
    return json.loads(service.shell(script).splitlines()[-1])


@pytest.mark.servers
def test_a_killed_count_numbers_and_rates_every_result_once(
    stack: Callable[..., Stack], postgres: Postgres
) -> None:
    outcome = killed(stack, postgres, "counting", rounds=2, seed=0)
    assert [unit[1] for unit in outcome["whole"]["units"]] == [1, 2, 3, 4, 5, 6]
    assert outcome["steps"]["counting"] > 50
    assert outcome["wrong"] == []
    assert outcome["kills"] == 2


@pytest.mark.servers
@pytest.mark.soak
def test_many_kills_of_counting_and_replay_leave_the_same_ratings(
    stack: Callable[..., Stack], postgres: Postgres
) -> None:
    outcome = killed(stack, postgres, "with_corrections", ROUNDS, seed=1)
    whole = outcome["whole"]
    # The set that went on has lost its number 4 and got 9; the annulled match keeps its own.
    assert [(unit[1], unit[2]) for unit in whole["units"]] == [
        *((1, 1), (2, 2), (3, 5), (5, 6), (6, 7), (7, 8), (8, 9), (9, 3)),
    ]
    assert len(whole["ratings"]) == 5
    assert whole["differences"] == []
    assert min(outcome["steps"].values()) > 50
    assert outcome["wrong"] == []
    assert outcome["kills"] == 4 * ROUNDS
