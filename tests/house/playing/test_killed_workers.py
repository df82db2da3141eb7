"""Real workers of the house, killed or frozen while they think: the move is played once."""

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
CHILD_MODULE = "games.house.thinking.child_server"
FROZEN_SECONDS = 10.0  # before the worker is killed
# Until a worker answers: the rest of the lease, and a tick of beat. FROZEN_SECONDS are added if the
# lease has just begun.
MOST_SECONDS = 60.0


def moves(service: Stack) -> list[tuple[Any, ...]]:
    """The number and seat of each move of the match."""
    played = Ply.objects.filter(match=1, kind="move").order_by("number")
    return service.ask(played.values_list("number", "seat"))


def child_of(service: Stack, worker: str) -> int | None:
    """The process id of a worker's child process, None before its first question."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == service.pid(worker) and CHILD_MODULE in (folder / "cmdline").read_text():
                return int(folder.name)
    return None


def fork_of(child: int) -> int | None:
    """The process id of the fork that answers a question now."""
    forks = Path(f"/proc/{child}/task/{child}/children").read_text().split()
    return int(forks[0]) if forks else None


class FrozenWorker:
    """A worker frozen while it thinks, with its child process and the fork."""

    def __init__(self, service: Stack, worker: str, child: int, fork: int) -> None:
        self.service = service
        self.worker = worker
        self.pids = [fork, child]
        self.send(signal.SIGSTOP)

    def send(self, number: signal.Signals) -> None:
        for pid in self.pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        os.killpg(self.service.pid(self.worker), number)


@contextmanager
def frozen(service: Stack, workers: list[str]) -> Iterator[FrozenWorker]:
    """Alice moves, and the worker that computes the answer is frozen before it answers."""
    children = {name: child_of(service, name) for name in workers}
    with ThreadPoolExecutor(1) as pool:
        moving = pool.submit(service.shell, MOVE)
        until = time.monotonic() + 60
        caught = None
        while caught is None and time.monotonic() < until:
            for name, child in children.items():
                if child is not None and (fork := fork_of(child)) is not None:
                    caught = FrozenWorker(service, name, child, fork)
                    break
            time.sleep(0.001)
        moving.result()
    assert caught is not None, "The worker answered before it could be frozen."
    try:
        yield caught
    finally:
        with suppress(ProcessLookupError):
            caught.send(signal.SIGCONT)


def is_answered(service: Stack) -> bool:
    # Not "Alice is to act", since the answer may end the match.
    return not service.ask(Player.objects.filter(match=1, seat=1, to_act=True).values_list("pk"))


def begin(service: Stack, workers: list[str]) -> None:
    """Begin a match in which the house has answered, until each worker has a child process."""
    service.shell(BEGIN)
    while not all(child_of(service, name) for name in workers):
        service.shell(MOVE)
        wait_for(lambda: is_answered(service), "The house should answer.")


@pytest.mark.soak
def test_a_worker_that_is_killed_while_thinking_answers_once_after_a_restart(
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


# In the fast tier two workers answer one turn in test_turn_answers.py.
@pytest.mark.soak
def test_a_worker_that_continues_after_another_has_answered_plays_nothing(
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
    # Its move was refused as outdated, which is no failure.
    assert moves(service)[len(before) :] == [(before[-1][0] + 1, 0), (before[-1][0] + 2, 1)]
    assert service.ask(HouseSeat.objects.exclude(failures=0).values_list("pk")) == []
