"""Kills while challenges of a ladder are settled, on real PostgreSQL.

A worker is killed at any statement, or right before or after a commit. Once the sweeps have run
again, the places, their log and the rows of the outbox are those of a ladder without a kill.
"""

import json
import os
from collections.abc import Callable

import pytest

from tests.servers import Postgres
from tests.stack import Stack

ROUNDS = int(os.environ.get("LADDER_ROUNDS", "15"))  # with four kills in each


@pytest.mark.servers
@pytest.mark.soak
def test_many_kills_of_settlement_leave_the_same_places(
    stack: Callable[..., Stack], postgres: Postgres
) -> None:
    service = stack(database_url=postgres.create("ladders"), web=0, workers=0, beat=0)
    script = (
        "from tests.races import kills, ladder_course\n"
        f"kills.compare(ladder_course.course, rounds={ROUNDS}, seed=1)"
    )
    outcome = json.loads(service.shell(script).splitlines()[-1])
    whole = outcome["whole"]
    assert [[user, *change] for user, *change, _match in whole["changes"]] == [
        [5, 5, 4, "won"],
        [4, 5, 2, "won"],
        [3, 4, 1, "won"],
        [6, 6, 3, "won"],
        [4, 4, None, "left"],
        [8, 7, 6, "won"],
        [7, 7, 4, "won"],
        [7, 4, None, "missed"],
    ]
    dropped = [row for row in whole["outbox"] if row[0] == "ladder-dropped"]
    assert dropped == [["ladder-dropped", "notify", 7, {"ladder": 1}, True, 1]]
    assert min(outcome["steps"].values()) > 50
    assert outcome["wrong"] == []
    assert outcome["kills"] == 4 * ROUNDS
