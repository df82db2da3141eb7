"""Races around the answer of a plan, and kills in the middle of it, on real databases.

Every turn is answered once or not at all, whichever is first: one of two workers, an edit, a move
by hand, the opponent. A worker that is killed leaves the answer and the shortened plan, or neither.
"""

import json
import os
from collections.abc import Callable

import pytest

from tests import tiers
from tests.play.match_helpers import SETUPS
from tests.servers import Postgres
from tests.stack import Stack

TRIALS = int(os.environ.get("PLAN_RACES", "20"))
KILLS = int(os.environ.get("PLAN_KILLS", "48"))
SOUTH, NORTH = SETUPS["lattaque-10x10"]

BEGIN = f"""
import json, os, random, signal, threading, time
from accounts.models import User
from django.db import connection, connections
from games.plan_language.reading import read_lines
from games.play.commands import matches, moves
from games.play.commands.plans import answering, saving
from games.play.models.match import Player
from games.play.models.plan import Plan, Wait
from games.play.models.ply import Ply
from games.play.record.sealed import plans
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal

LINE = "if j7-j6 then b4-b5 if any then b5-b4"
alice, bob = (User.objects.create_confirmed(n, n + "@example.org") for n in ("Alice", "Bob"))

def begin():
    match = matches.open_match(Terms("lattaque-en"), dict(zip(Seat, (alice, bob))))
    moves.submit_move(match.pk, alice, {SOUTH!r}, None)
    moves.submit_move(match.pk, bob, {NORTH!r}, None)
    moves.submit_move(match.pk, alice, "a4-a5", 2)
    saving.save_plan(match.pk, alice, 3, read_lines(LINE).lines, wait=Wait.NOW)
    return match.pk

def standing(pk):
    texts = list(Ply.objects.filter(match=pk, number__gt=4).order_by("number")
                 .values_list("text", flat=True))
    plan = plans.read(Player.objects.get(match=pk, user=alice).pk)
    return texts, plan
"""

RACE = (
    BEGIN
    + f"""
TRIALS, SECONDS = {TRIALS}, 20
errors, wrong, ways = [], [], {{}}

def race(pk):
    start, over, hand = threading.Barrier(6), threading.Event(), []
    def racer(act):
        def run():
            try:
                start.wait(SECONDS)
                time.sleep(random.uniform(0, 0.03))
                act()
            except Refusal:
                pass
            except Exception as error:
                errors.append(repr(error))
            finally:
                connections.close_all()
        return threading.Thread(target=run)
    def work():
        until = time.monotonic() + SECONDS
        while not over.is_set() and time.monotonic() < until:
            answering.answer_turn(pk, alice.pk, 4)
            time.sleep(0.002)
    def move_by_hand():
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            try:
                # Repeated: the edited plan has played the same move.
                if not moves.submit_move(pk, alice, "a5-a4", 4).repeated:
                    hand.append(1)
                return
            except Refusal:
                if Ply.objects.filter(match=pk, number=5).exists():
                    return
    def edit():
        saving.save_plan(pk, alice, 3, read_lines("otherwise a5-a4").lines, wait=Wait.NOW)
    def opponent():
        moves.submit_move(pk, bob, "j7-j6", 3)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            try:
                moves.submit_move(pk, bob, "j6-j7", 5)
                return
            except Refusal:
                pass
    threads = [racer(act) for act in (work, work, move_by_hand, edit, opponent)]
    for thread in threads:
        thread.start()
    start.wait(SECONDS)
    for thread in threads[2:]:
        thread.join()
    over.set()
    for thread in threads[:2]:
        thread.join()
    texts, plan = standing(pk)
    by_plan = 5 in plan.row.played
    edited = plan.contents.lines == ("otherwise a5-a4",)
    answers = len(hand) + by_plan
    way = "hand" if hand else "plan" if by_plan else "neither"
    ways[way] = ways.get(way, 0) + 1
    fine = answers == 1 and texts[1:] == ["j6-j7"] and texts[0] in ("b4-b5", "a5-a4")
    if by_plan and texts[0] == "b4-b5":
        fine = fine and plan.contents.lines == ("otherwise b5-b4",) and plan.row.ply == 5
    if by_plan and texts[0] == "a5-a4":
        fine = fine and plan.row.state == "ended" and plan.row.ply == 5
    if hand:
        fine = fine and texts[0] == "a5-a4" and plan.row.ply == 3 and plan.row.played == []
    if not fine:
        wrong.append([texts, hand, plan.row.ply, plan.row.played, list(plan.contents.lines)])

for _ in range(TRIALS):
    race(begin())
print(json.dumps(dict(errors=errors, wrong=wrong, ways=ways)))
"""
)

KILL = (
    BEGIN
    + f"""
KILLS = {KILLS}
counted, wrong, lost = [0], [], 0

class Killer:
    # Kills its process before the statement of this number, or before or after the commit.
    def __init__(self, at):
        self.at, self.count = at, 0
    def __call__(self, execute, *args):
        self.step()
        return execute(*args)
    def step(self):
        if self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1

def child(pk, killer):
    commit = connection.commit
    def committing():
        killer.step()
        commit()
        killer.step()
    connection.commit = committing
    with connection.execute_wrapper(killer):
        answering.answer_turn(pk, alice.pk, 4)
    return killer.count

def turn():
    pk = begin()
    moves.submit_move(pk, bob, "j7-j6", 3)
    return pk

steps = child(turn(), Killer(-1))
del connection.commit
killed = answered_by_the_killed = 0
for number in range(KILLS):
    pk = turn()
    connections.close_all()
    pid = os.fork()
    if not pid:
        try:
            child(pk, Killer(number % steps))
        finally:
            os._exit(0)
    _pid, status = os.waitpid(pid, 0)
    killed += os.WIFSIGNALED(status)
    texts, plan = standing(pk)
    answered_by_the_killed += bool(texts)
    if (texts, plan.row.ply) not in (([], 3), (["b4-b5"], 5)):
        wrong.append([number % steps, texts, plan.row.ply])
    answering.answer_turn(pk, alice.pk, 4)
    texts, plan = standing(pk)
    if (texts, plan.row.ply, plan.row.played) != (["b4-b5"], 5, [5]):
        wrong.append(["after", number % steps, texts, plan.row.ply])
print(json.dumps(dict(wrong=wrong, killed=killed, steps=steps, early=answered_by_the_killed)))
"""
)


@pytest.fixture
def database_url(request: pytest.FixtureRequest, vendor: str) -> str | None:
    if vendor == "sqlite":
        return None
    server: Postgres = request.getfixturevalue("postgres")
    return server.create("plans")


def vendors(*fast: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vendor", tiers.parameters(("sqlite", "postgres"), fast=fast))


# A race needs commands that really run at once; a kill leaves what the transaction has written, on
# either database.
@vendors("postgres")
@pytest.mark.servers
def test_a_turn_is_answered_once_whichever_is_first(
    stack: Callable[..., Stack], database_url: str | None
) -> None:
    service = stack(database_url=database_url, web=0, workers=0, beat=0)
    outcome = json.loads(service.shell(RACE).splitlines()[-1])
    assert outcome["errors"] == [] and outcome["wrong"] == []
    assert sum(outcome["ways"].values()) == TRIALS
    # The plan must win now and then, or there was no race.
    assert outcome["ways"].get("plan")


def kill(stack: Callable[..., Stack], database_url: str | None, kills: int) -> None:
    service = stack(database_url=database_url, web=0, workers=0, beat=0)
    script = KILL.replace(f"KILLS = {KILLS}", f"KILLS = {kills}")
    outcome = json.loads(service.shell(script).splitlines()[-1])
    assert outcome["wrong"] == []
    assert outcome["killed"] == kills
    # Some were killed after the commit, most before.
    assert 0 < outcome["early"] < kills / 2


@vendors("sqlite")
@pytest.mark.servers
def test_a_killed_worker_leaves_the_answer_and_the_shortened_plan_or_neither(
    stack: Callable[..., Stack], database_url: str | None
) -> None:
    kill(stack, database_url, KILLS)


@vendors("sqlite", "postgres")
@pytest.mark.servers
@pytest.mark.soak
def test_five_hundred_killed_workers_leave_consistent_plans(
    stack: Callable[..., Stack], database_url: str | None
) -> None:
    kill(stack, database_url, 500)
