"""Race of a move against its deadline and two sweeps, on real databases: the right one wins.

The clocks are real. Only the grace period is shortened from a minute; it is still longer than a
move waits in the queue.
"""

import json
import os
from collections.abc import Callable

import pytest

from tests import tiers
from tests.play.match_helpers import SETUPS
from tests.servers import Postgres
from tests.stack import Stack

TRIALS = int(os.environ.get("RACE_TRIALS", "50"))
SOUTH, NORTH = SETUPS["lattaque-10x10"]

RACE = f"""
import json, random, threading, time
from datetime import timedelta
from accounts.models import User
from django.db import connections
from games.play import time_controls
from games.play.commands import deadlines, matches, moves
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.record import match_store
from lib.db_clock import now
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal

TRIALS, STEP, MOVERS = {TRIALS}, 0.04, 4
time_controls.DEADLINE_GRACE = timedelta(seconds=3)
people = [User.objects.create_confirmed(n, n + "@example.org") for n in ("Alice", "Bob")]
ids = []
for _ in range(TRIALS):
    match = matches.open_match(Terms("lattaque-en"), dict(zip(Seat, people)))
    moves.submit_move(match.pk, people[0], {SOUTH!r}, None)
    moves.submit_move(match.pk, people[1], {NORTH!r}, None)
    ids.append(match.pk)
start = now() + timedelta(seconds=2)
due_at = {{pk: start + timedelta(seconds=STEP * i) for i, pk in enumerate(ids)}}
for pk, deadline in due_at.items():
    Player.objects.filter(match=pk, to_act=True).update(
        deadline=deadline, since=deadline - timedelta(days=3),
        check_at=deadline + time_controls.DEADLINE_GRACE)

stamps, answers, real = {{}}, {{}}, match_store.load_match
def load_match(pk, *arrived, **named):
    state = real(pk, *arrived, **named)
    if threading.current_thread().name == "mover":
        stamps.setdefault(pk, state.at)
    return state
match_store.load_match = load_match

offset = time.monotonic() - now().timestamp()
def move(mine):
    for pk in mine:
        # Half of them race the deadline, half the sweep that comes a grace later.
        grace = random.choice([0, time_controls.DEADLINE_GRACE.total_seconds()])
        due = due_at[pk].timestamp() + grace + offset + random.uniform(-0.1, 0.03)
        time.sleep(max(0, due - time.monotonic()))
        try:
            moves.submit_move(pk, people[0], "a4-a5", 2)
            answers[pk] = "played"
        except Refusal as refusal:
            answers[pk] = type(refusal).__name__
        except Exception as error:
            answers[pk] = "error " + repr(error)
    connections.close_all()

errors, over = [], threading.Event()
def sweep():
    while not over.is_set():
        try:
            deadlines.sweep()
        except Exception as error:
            errors.append(repr(error))
    connections.close_all()

movers = [threading.Thread(target=move, args=(ids[n::MOVERS],), name="mover")
          for n in range(MOVERS)]
sweepers = [threading.Thread(target=sweep) for _ in range(2)]
for thread in movers + sweepers:
    thread.start()
for thread in movers:
    thread.join()
time.sleep((time_controls.DEADLINE_GRACE + timedelta(seconds=1)).total_seconds())
over.set()
for thread in sweepers:
    thread.join()
while deadlines.sweep()["ended"]:
    pass

both = lost = accepted_late = ended_early = unplayed = 0
for pk in ids:
    plies = list(Ply.objects.filter(match=pk, number__gt=2).values_list("kind", "at"))
    both += len(plies) != 1
    unplayed += not plies
    for kind, at in plies:
        in_time = stamps[pk] <= due_at[pk]
        lost += in_time and kind != "move"
        accepted_late += kind == "move" and at > due_at[pk] + time_controls.DEADLINE_GRACE
        ended_early += kind == "time" and at <= due_at[pk] + time_controls.DEADLINE_GRACE
        if (answers[pk] == "played") != (kind == "move"):
            errors.append([pk, kind, answers[pk]])
moved = sum(answer == "played" for answer in answers.values())
print(json.dumps(dict(both=both, lost=lost, late=accepted_late, early=ended_early,
                      unplayed=unplayed, errors=errors, moved=moved)))
"""


@pytest.fixture(params=tiers.parameters(("sqlite", "postgres"), fast=("sqlite",)))
def database_url(request: pytest.FixtureRequest) -> str | None:
    if request.param == "sqlite":
        return None
    server: Postgres = request.getfixturevalue("postgres")
    return server.create("deadlines")


@pytest.mark.servers
def test_a_move_in_time_counts_a_late_one_does_not_and_nothing_counts_twice(
    stack: Callable[..., Stack], database_url: str | None
) -> None:
    service = stack(database_url=database_url, web=0, workers=0, beat=0)
    outcome = json.loads(service.shell(RACE).splitlines()[-1])
    moved = outcome.pop("moved")
    assert outcome == {"both": 0, "lost": 0, "late": 0, "early": 0, "unplayed": 0, "errors": []}
    # Both outcomes must occur, or there was no race.
    assert 0 < moved < TRIALS
