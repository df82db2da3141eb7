"""Threads of a worker, started after its pool has forked: heartbeat, and beat's fallback.

A prefork pool forks at its start and for each child that it replaces. A fork copies the locks that
other threads hold, and nobody releases the copies: such a child hangs. So the parent of a pool that
forks starts no thread. One child of each worker runs them; if that child dies, another takes over.
"""

import fcntl
import os
import tempfile
import threading
from collections.abc import Callable
from typing import Any

import billiard
from celery import Celery
from celery.concurrency import get_implementation
from celery.signals import worker_init, worker_process_init, worker_shutting_down

from config.processes import beat_fallback, heartbeat_thread

CLAIM_SECONDS = 2.0  # between two attempts of a child to take over from one that died

_stop = threading.Event()
_app: Celery | None = None  # of a worker whose children run the threads
_claim = -1  # a file whose lock the child with the threads holds


@worker_init.connect
def _prepare(sender: Any, **_: Any) -> None:
    global _app, _claim
    beat_fallback.note_task()
    if forks(sender.pool_cls):
        _app, _claim = sender.app, _empty_file()
    else:
        start(sender.app)


@worker_process_init.connect
def _start_in_child(**_: Any) -> None:
    if _app is not None:
        threading.Thread(target=_start_when_alone, args=[_app], name="claim", daemon=True).start()


@worker_shutting_down.connect
def _stop_threads(**_: Any) -> None:
    _stop.set()


def start(app: Celery) -> None:
    """Start the threads in this process."""
    jobs: list[Callable[[Celery, threading.Event], None]] = [beat_fallback.run]
    # A worker that only thinks for the computer opponents sends no e-mail and ends no match on
    # time. While it is the only one, the clocks must stand still.
    if app.conf.task_default_queue in app.amqp.queues.consume_from:
        jobs.append(heartbeat_thread.run)
    for job in jobs:
        threading.Thread(target=job, args=[app, _stop], name=job.__module__, daemon=True).start()


def forks(pool: Any) -> bool:
    """Whether a pool, a class or its alias, runs tasks in forks of the worker's process."""
    module: str = get_implementation(pool).__module__
    return module == "celery.concurrency.prefork" and billiard.get_start_method() == "fork"


def _start_when_alone(app: Celery) -> None:
    """Start the threads as soon as no other child of this worker has them."""
    while not _is_claimed():
        if _stop.wait(CLAIM_SECONDS):
            return
    start(app)


def _is_claimed() -> bool:
    """Whether this process holds the lock now; the system releases it when the process dies."""
    try:
        fcntl.lockf(_claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _empty_file() -> int:
    """The number of an open file that has no name and, where possible, needs no disk."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("worker-threads")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
