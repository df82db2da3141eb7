"""Many racers around the answer of a plan: every turn is answered once or not at all.

The racers are the task of the turn's notification, the dispatcher, the task of due answers, the
sweep of deadlines, the player's own moves by page, API and mail, edits and withdrawals of the plan,
"Play it now", the opponent's moves, offers and resignation, and the player's deadline.
"""

import json
import os
from collections.abc import Callable

import pytest

from tests.stack import Stack

RACERS = int(os.environ.get("PLAN_RACERS", "12"))
TURNS = int(os.environ.get("PLAN_RACER_TURNS", "10"))
MANY_RACERS, MANY_TURNS = 32, 200
SEED = os.environ.get("PLAN_RACER_SEED", "plans")
RUN = "from tests.races import plan_race; plan_race.run({urls!r}, {turns}, {racers}, {seed!r})"
# Receipts are limited by the hour, and requests of a token by the minute.
NO_LIMITS = {"API_LIMITS": "off", "MAIL_ANSWERS_PER_HOUR": "1000000"}


def race(
    stack: Callable[..., Stack], database_url: str | None, turns: int, racers: int
) -> dict[str, int]:
    """Race for so many turns; how each kind of turn was answered, and how often."""
    extra = {**NO_LIMITS, "MAIL_AUTHSERV_ID": "mx.example.org"}
    service = stack(database_url=database_url, web=2, workers=0, beat=0, extra=extra)
    urls = [service.url("web1"), service.url("web2")]
    output = service.shell(RUN.format(urls=urls, turns=turns, racers=racers, seed=SEED))
    outcome = json.loads(output.splitlines()[-1])
    assert not outcome["wrong"], "\n".join(outcome["wrong"])
    ways: dict[str, int] = outcome["ways"]
    assert sum(ways.values()) == turns
    print(ways, outcome["statuses"])
    return ways


@pytest.mark.servers
def test_a_turn_is_answered_once_or_not_at_all(
    stack: Callable[..., Stack], database_url: str | None
) -> None:
    ways = race(stack, database_url, TURNS, RACERS)
    # Both must win now and then, or there was no race.
    assert {way.split(": ")[1] for way in ways} >= {"plan", "hand"}


@pytest.mark.servers
@pytest.mark.soak
def test_thirty_two_racers_for_two_hundred_turns(
    stack: Callable[..., Stack], database_url: str | None
) -> None:
    ways = race(stack, database_url, max(TURNS, MANY_TURNS), max(RACERS, MANY_RACERS))
    won = {(kind, "plan") for kind in ("comes", "came", "waits")}
    assert won <= {tuple(way.split(": ")) for way in ways}
