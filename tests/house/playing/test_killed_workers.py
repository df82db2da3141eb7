"""Real workers of the house, killed or frozen in the middle of a thought: its move comes once."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from games.house.models import HouseSeat
from games.play.models.match import Player
from games.play.models.ply import Ply
from tests.servers import Postgres, Redis, wait_for
from tests.stack import Stack

pytestmark = pytest.mark.servers

BEGIN = """
from random import Random
from accounts.models import User
from games.deployments.registry import deploy
from games.house.playing.new_match import play_the_house
from games.play.commands.moves import submit_move
from games.rules.core.basics.pieces import Seat
alice = User.objects.create_confirmed("Alice", "alice@example.org")
match = play_the_house(alice, preset="lattaque-en", level="marshal", seat=Seat.SOUTH)
submit_move(match.pk, alice, deploy(match.rules, Seat.SOUTH, (), Random(7)), None)
"""
MOVE = """
from accounts.models import User
from games.house import wake_ups
from games.play.commands.moves import submit_move
from games.play.record.match_view import view_match
from games.rules.core.text.notation import write_move
alice = User.objects.get(username="Alice")
view = view_match(1, alice)
text = min(write_move(view.rules, move) for move in view.observation.moves)
submit_move(1, alice, text, view.number)
wake_ups.send()
"""
THINKER = "games.house.thinking.child_server"
FROZEN_SECONDS = 10.0  # before it is killed
# Until it is answered after all: what is left of the lease, and a tick of beat. A lease that has
# just begun takes as much longer.
MOST_SECONDS = 60.0


def moves(service: Stack) -> list[tuple[Any, ...]]:
    """The moves of the match, by number and seat."""
    played = Ply.objects.filter(match=1, kind="move").order_by("number")
    return service.ask(played.values_list("number", "seat"))


def thinker_of(service: Stack, worker: str) -> int | None:
    """The process in which a worker has its thoughts thought, if it has begun one."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == service.pid(worker) and THINKER in (folder / "cmdline").read_text():
                return int(folder.name)
    return None


def thought_of(thinker: int) -> int | None:
    """The fork that thinks about a question now."""
    children = Path(f"/proc/{thinker}/task/{thinker}/children").read_text().split()
    return int(children[0]) if children else None


class Thought:
    """A worker that is frozen in the middle of a thought, with all that thinks for it."""

    def __init__(self, service: Stack, worker: str, thinker: int, fork: int) -> None:
        self.service = service
        self.worker = worker
        self.pids = [fork, thinker]
        self.send(signal.SIGSTOP)

    def send(self, number: signal.Signals) -> None:
        for pid in self.pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        os.killpg(self.service.pid(self.worker), number)


@contextmanager
def frozen(service: Stack, workers: list[str]) -> Iterator[Thought]:
    """Alice moves, and the worker that thinks about it is frozen before it has answered."""
    thinkers = {name: thinker_of(service, name) for name in workers}
    with ThreadPoolExecutor(1) as beside:
        moving = beside.submit(service.shell, MOVE)
        until = time.monotonic() + 60
        caught = None
        while caught is None and time.monotonic() < until:
            for name, thinker in thinkers.items():
                if thinker is not None and (fork := thought_of(thinker)) is not None:
                    caught = Thought(service, name, thinker, fork)
                    break
            time.sleep(0.001)
        moving.result()
    assert caught is not None, "It was quicker than the test."
    try:
        yield caught
    finally:
        with suppress(ProcessLookupError):
            caught.send(signal.SIGCONT)


def is_answered(service: Stack) -> bool:
    # Not "Alice is to act": a last move is an answer as well.
    return not service.ask(Player.objects.filter(match=1, seat=1, to_act=True).values_list("pk"))


def begin(service: Stack, workers: list[str]) -> None:
    """Begin a match in which the house has answered once; every worker has its thinker."""
    service.shell(BEGIN)
    while not all(thinker_of(service, name) for name in workers):
        service.shell(MOVE)
        wait_for(lambda: is_answered(service), "The house should answer.")


def test_a_worker_that_is_killed_over_a_thought_answers_once_when_it_is_back(
    stack: Callable[..., Stack],
) -> None:
    service = stack(web=0, workers=0, house=1)
    begin(service, ["house1"])
    before = moves(service)
    with frozen(service, ["house1"]) as thought:
        assert service.ask(HouseSeat.objects.filter(lease_until=None).values_list("pk")) == []
        time.sleep(FROZEN_SECONDS)
        thought.send(signal.SIGKILL)
        service.restart("house1")
    began = time.monotonic()
    assert moves(service) == [*before, (before[-1][0] + 1, 0)]
    wait_for(lambda: is_answered(service), "The house should answer.", 3 * MOST_SECONDS)
    assert time.monotonic() - began < MOST_SECONDS
    time.sleep(2)
    assert moves(service)[len(before) :] == [(before[-1][0] + 1, 0), (before[-1][0] + 2, 1)]


def test_a_worker_that_thaws_after_another_has_answered_plays_nothing(
    stack: Callable[..., Stack], postgres: Postgres, redis_server: Redis
) -> None:
    urls = {"database_url": postgres.create("house"), "broker_url": redis_server.url}
    service = stack(web=0, workers=0, house=2, **urls)
    workers = ["house1", "house2"]
    begin(service, workers)
    before = moves(service)
    with frozen(service, workers):
        began = time.monotonic()
        wait_for(lambda: is_answered(service), "The other should answer.", 3 * MOST_SECONDS)
        assert time.monotonic() - began < MOST_SECONDS + FROZEN_SECONDS
    time.sleep(5)
    # It has thought to the end, and was told that the match has moved on.
    assert moves(service)[len(before) :] == [(before[-1][0] + 1, 0), (before[-1][0] + 2, 1)]
    assert service.ask(HouseSeat.objects.exclude(failures=0).values_list("pk")) == []
