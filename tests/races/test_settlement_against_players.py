"""Race of a settlement against added days and moves in its matches: nothing is lost or blocked."""

import json
from collections.abc import Callable

import pytest

from tests.play.match_helpers import SETUPS
from tests.stack import Stack

SOUTH, NORTH = SETUPS["lattaque-10x10"]

RACE = f"""
import json, threading
from datetime import timedelta
from accounts.models import User
from django.db import connections
from games.play.clocks import settlement
from games.play.commands import courtesies, matches, moves
from games.play.models.match import Player
from games.play.models.time import Adjustment, Outage
from lib.db_clock import now
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat

settlement.BATCH_CLOCKS = 20
people = [User.objects.create_confirmed(n, n + "@example.org") for n in ("Alice", "Bob")]
def open_match():
    terms = Terms("lattaque-en", pace="30d+3d", setup_pace="3d")
    match = matches.open_match(terms, dict(zip(Seat, people)))
    moves.submit_move(match.pk, people[0], {SOUTH!r}, None)
    moves.submit_move(match.pk, people[1], {NORTH!r}, None)
    return match.pk
ids = [open_match() for _ in range(60)]
at, hour = now(), timedelta(hours=1)
Player.objects.filter(to_act=True).update(since=at - 9 * hour)
outage = Outage.objects.create(start=at - 2 * hour, end=at)
errors, start = [], threading.Barrier(4)

def thread(act):
    def run():
        start.wait()
        try:
            act()
        except Exception as error:
            errors.append(repr(error))
        connections.close_all()
    return threading.Thread(target=run)

def give():
    for pk in ids:
        courtesies.give_day(pk, people[1])
def move():
    for pk in reversed(ids):
        moves.submit_move(pk, people[0], "a4-a5", 2)
threads = [thread(act) for act in (give, settlement.settle, settlement.settle, move)]
for each in threads: each.start()
for each in threads: each.join()
while Outage.objects.filter(credited_at=None).exists():
    settlement.settle()
given = Adjustment.objects.filter(outage=outage)
left = []
for player in Player.objects.filter(match__in=ids, seat=0):
    log = Adjustment.objects.filter(match=player.match_id, seat=0)
    spans = sum((one.span for one in log), timedelta(0))
    left.append(player.bank - spans <= timedelta(days=33) - 9 * hour + timedelta(minutes=1))
print(json.dumps([errors, given.filter(seat=0, span=2 * hour).count(), all(left)]))
"""


@pytest.mark.soak
@pytest.mark.servers
def test_simultaneous_settlement_and_players_lose_nothing_and_credit_once(
    stack: Callable[..., Stack], database_url: str | None
) -> None:
    service = stack(database_url=database_url, web=0, workers=0, beat=0)
    errors, credited, exact = json.loads(service.shell(RACE).splitlines()[-1])
    # If the opponent has just moved, their clock does not run, and the added day is refused.
    assert [error for error in errors if "NotNow" not in error] == []
    assert (credited, exact) == (60, True)
