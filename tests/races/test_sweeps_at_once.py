"""Race of ten sweeps on real databases: together they do what one does."""

import json
from collections.abc import Callable

import pytest

from tests.play.match_helpers import SETUPS
from tests.stack import Stack

SOUTH, NORTH = SETUPS["lattaque-10x10"]

SWEEPS = f"""
import json, threading
from datetime import timedelta
from accounts.models import User
from django.db import connections
from games.play.clocks import heartbeat, settlement
from games.play.commands import deadlines, matches, moves
from games.play.models.match import Match, Player
from games.play.models.time import Adjustment, Heartbeat, LossOnTime, Outage, Vacation
from games.outbox.models import Dispatch
from lib.db_clock import now
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat

people = [User.objects.create_confirmed(n, n + "@example.org") for n in ("Alice", "Bob")]
def open_running_match(**terms):
    match = matches.open_match(Terms("lattaque-en", **terms), dict(zip(Seat, people)))
    moves.submit_move(match.pk, people[0], {SOUTH!r}, None)
    moves.submit_move(match.pk, people[1], {NORTH!r}, None)
    return match.pk
at, day = now(), timedelta(days=1)
def set_deadlines(ids, deadline):
    clocks = Player.objects.filter(match__in=ids, to_act=True)
    clocks.update(since=deadline - 3 * day, deadline=deadline, check_at=at)
reminded, late = [open_running_match() for _ in range(12)], [open_running_match() for _ in range(4)]
covered = [open_running_match(vacations=True) for _ in range(6)]
set_deadlines(reminded, at + day / 2)
set_deadlines(late + covered, at - timedelta(minutes=5))

errors = []
def in_ten_threads(act):
    start = threading.Barrier(10)
    def run():
        start.wait()
        try:
            act()
        except Exception as error:
            errors.append(repr(error))
        connections.close_all()
    threads = [threading.Thread(target=run) for _ in range(10)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()

in_ten_threads(deadlines.sweep)
hours = sum(((v.end - v.start) for v in Vacation.objects.all()), timedelta(0))
swept = dict(
    reminders=Dispatch.objects.filter(event="deadline-near").count(),
    ended=Match.objects.filter(status="finished").count(),
    plies=Match.objects.filter(pk__in=late, ply=3).count(),
    over=Dispatch.objects.filter(event="match-over").count(),
    counted=LossOnTime.objects.count(),
    hours=hours / timedelta(hours=1),
    covered=Adjustment.objects.filter(kind="vacation").count(),
)
before = dict(Player.objects.filter(since__isnull=False).values_list("pk", "bank"))
Player.objects.filter(pk__in=before).update(since=at - day)
Heartbeat.objects.create(pk=1, started_at=at - day, last_beat_at=at - timedelta(hours=2))
def beat_and_credit():
    heartbeat.beat()
    settlement.settle()
in_ten_threads(beat_and_credit)
outage = Outage.objects.get()
lost = outage.end - outage.start
after = dict(Player.objects.filter(pk__in=before).values_list("pk", "bank"))
given = Adjustment.objects.filter(outage=outage)
print(json.dumps(dict(
    swept=swept, errors=errors, outages=Outage.objects.count(), credits=given.count(),
    told=Dispatch.objects.filter(event="clock-credited").count(),
    exact=all(after[pk] - bank == lost for pk, bank in before.items()), running=len(before),
)))
"""


@pytest.mark.servers
def test_ten_sweeps_and_ten_beats_at_once_do_nothing_twice(
    stack: Callable[..., Stack], database_url: str | None
) -> None:
    service = stack(database_url=database_url, web=0, workers=0, beat=0)
    outcome = json.loads(service.shell(SWEEPS).splitlines()[-1])
    assert outcome == {
        "swept": {
            "reminders": 12,
            "ended": 4,
            "plies": 4,
            "over": 16,  # of both players, of tournaments and of followers
            "counted": 4,
            "hours": 1.0,
            "covered": 6,
        },
        "errors": [],
        "outages": 1,
        "credits": 18,
        "told": 1,
        "running": 18,
        "exact": True,
    }
