"""The embedded broker under a real worker, on both databases."""

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import wait_for
from tests.stack import CELERY, ROOT, Stack

pytestmark = pytest.mark.servers

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.config.settings"}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def worker(request: pytest.FixtureRequest) -> Iterator[Stack]:
    url = None
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres").create("broker")
    with Stack(database_url=url, web=0, beat=0, extra=SETTINGS) as stack:
        yield stack


@pytest.fixture
def notes(worker: Stack, request: pytest.FixtureRequest) -> Path:
    return worker.var / request.node.originalname


def tell(worker: Stack, code: str) -> None:
    imports = "from django.db import transaction; from tests.config.tasks import note, work"
    worker.shell(f"{imports}\n{code}")


def lines(notes: Path) -> list[str]:
    return notes.read_text().splitlines() if notes.exists() else []


def test_messages_are_taken_once_each(worker: Stack, notes: Path) -> None:
    tell(worker, f"for number in range(40): note.delay('{notes}', number)")
    wait_for(lambda: len(lines(notes)) >= 40, "Every message should be taken.")
    assert sorted(int(line.split()[0]) for line in lines(notes)) == list(range(40))


def test_what_is_rolled_back_was_never_published(worker: Stack, notes: Path) -> None:
    tell(
        worker,
        f"""
with transaction.atomic():
    note.delay('{notes}', 'never')
    transaction.set_rollback(True)
with transaction.atomic():
    note.delay('{notes}', 'once')
""",
    )
    wait_for(lambda: lines(notes), "The committed message should be taken.")
    assert [line.split()[0] for line in lines(notes)] == ["once"]


def test_a_killed_workers_message_comes_back_and_an_eta_waits(worker: Stack, notes: Path) -> None:
    asked = time.time()
    later = notes.with_suffix(".later")
    tell(
        worker,
        f"work.delay('{notes}', 1); note.apply_async(['{later}', 'later'], countdown=6)",
    )
    wait_for(lambda: lines(notes), "The work should begin.")
    worker.restart("worker1")
    wait_for(lambda: len(lines(notes)) == 3, "The work should be begun again, and done.")
    assert [line.split()[0] for line in lines(notes)] == ["begun", "begun", "done"]
    (line,) = wait_for(lambda: lines(later), "The other message should come when it is due.")
    assert float(line.split()[1]) - asked >= 6


def test_long_work_is_not_given_to_anybody_else(worker: Stack, notes: Path) -> None:
    # The lease is three seconds and renewed while the reader lives.
    tell(worker, f"work.delay('{notes}', 5)")
    wait_for(lambda: len(lines(notes)) == 2, "The work should be done.")
    assert [line.split()[0] for line in lines(notes)] == ["begun", "done"]


def test_a_worker_answers_a_broadcast(worker: Stack) -> None:
    done = subprocess.run(
        [*CELERY, "inspect", "ping", "-t", "10", "-d", f"worker1@{socket.gethostname()}"],
        cwd=ROOT,
        env=worker.environment,
        capture_output=True,
        text=True,
    )
    assert "pong" in done.stdout, done.stderr


def test_nothing_is_left_behind(worker: Stack) -> None:
    left = "from config.models import Message; print(list(Message.objects.values_list('queue')))"
    wait_for(lambda: worker.shell(left).strip() == "[]", "Every message should be acknowledged.")
