"""The threads of a worker run in one child of a pool that forks, and never in its parent."""

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from games.play.models.time import Heartbeat
from tests import tiers
from tests.servers import Redis, wait_for
from tests.stack import Stack

pytestmark = pytest.mark.servers

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.config.settings"}
WORKERS, SLOTS = 4, 4
NOTED = 40
NOTE = """
from tests.config.tasks import note
for number in range({count}): note.delay({path!r}, str(number))
"""


def children(pid: int) -> list[int]:
    """The processes that a single-threaded process has forked."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def waits_for_a_lock(pid: int) -> bool:
    """Whether the main thread of a process waits for a lock, and not for a task."""
    return "futex" in Path(f"/proc/{pid}/wchan").read_text()


def is_at_rest(parent: int) -> bool:
    return not any(map(waits_for_a_lock, children(parent)))


def run_tasks(service: Stack, file: Path) -> None:
    """Give the workers tasks, and wait until all have been run."""
    service.shell(NOTE.format(count=NOTED, path=str(file)))
    wait_for(lambda: file.exists() and len(file.read_text().splitlines()) >= NOTED, "all tasks run")


def start_again(service: Stack, names: list[str]) -> None:
    """Kill all of these, then start all at once."""
    for name in names:
        service.kill(name)
        service.log(name).unlink()
    for name in names:
        service.start(name)
    for name in names:
        service.wait_until_up(name)


@pytest.mark.parametrize("rounds", tiers.parameters((1, 5), fast=(1,)))
def test_no_child_of_four_workers_that_start_at_once_waits_for_a_lock(
    stack: Callable[..., Stack], redis_server: Redis, tmp_path: Path, rounds: int
) -> None:
    """Under load: a child that copied a held lock would never take a task."""
    service = stack(
        web=0,
        beat=0,
        workers=WORKERS,
        pool="prefork",
        slots=SLOTS,
        broker_url=redis_server.url,
        extra=SETTINGS,
    )
    names = [f"worker{number}" for number in range(1, WORKERS + 1)]
    for number in range(rounds):
        if number:
            start_again(service, names)
        run_tasks(service, tmp_path / f"noted{number}")
        for name in names:
            parent = service.pid(name)
            assert threads(parent) == 1
            assert len(children(parent)) == SLOTS
            wait_for(partial(is_at_rest, parent), "no child hangs")


@pytest.mark.soak
def test_another_child_takes_over_when_the_one_with_the_threads_dies(
    stack: Callable[..., Stack], redis_server: Redis
) -> None:
    service = stack(web=0, beat=0, pool="prefork", broker_url=redis_server.url)
    parent = service.pid("worker1")

    def beats() -> list[tuple[object, ...]]:
        return service.ask(Heartbeat.objects.values_list("last_beat_at"))

    def with_threads() -> list[int]:
        return [child for child in children(parent) if threads(child) > 2]

    wait_for(beats, "a first heartbeat")
    first = beats()
    (at_work,) = wait_for(with_threads, "a child should have the threads")
    os.kill(at_work, signal.SIGKILL)
    (another,) = wait_for(
        lambda: [child for child in with_threads() if child != at_work], "another takes over"
    )
    wait_for(lambda: beats() != first, "the heartbeat goes on")
    assert threads(parent) == 1
    assert another != at_work
