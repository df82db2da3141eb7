"""Threads of a worker, started after its pool has forked: heartbeat, and beat's fallback.

A prefork pool forks at start and for each child that it replaces. A fork copies locks that other
threads hold, and nothing releases the copies: such a child hangs. So the parent of a forking pool
starts no threads. One child of each worker runs them; if it dies, another takes over.
"""

import fcntl
import os
import tempfile
import threading
from collections.abc import Callable
from typing import Any

import billiard

# Celery imports these at their first use. Two threads that do so at once may end in a deadlock,
# which Python breaks by an error in one of them.
import celery.events.dispatcher
import celery.events.receiver  # noqa: F401
from celery import Celery
from celery.concurrency import get_implementation
from celery.signals import worker_init, worker_process_init, worker_shutting_down

from config.processes import beat_fallback, heartbeat_thread

CLAIM_SECONDS = 2.0  # between a child's attempts to take over

_stop = threading.Event()
_app: Celery | None = None  # set where children run the threads
_claim = -1  # file descriptor; the child that runs the threads holds its lock


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
    # A worker that only thinks for house opponents sends no e-mail and handles no deadline. While
    # it is the only worker, the clocks must stop.
    if app.conf.task_default_queue in app.amqp.queues.consume_from:
        jobs.append(heartbeat_thread.run)
    for job in jobs:
        threading.Thread(target=job, args=[app, _stop], name=job.__module__, daemon=True).start()


def forks(pool: Any) -> bool:
    """Whether a pool, given as class or alias, runs tasks in forks of the worker."""
    module: str = get_implementation(pool).__module__
    return module == "celery.concurrency.prefork" and billiard.get_start_method() == "fork"


def _start_when_alone(app: Celery) -> None:
    """Start the threads as soon as no other child of this worker has them."""
    while not _is_claimed():
        if _stop.wait(CLAIM_SECONDS):
            return
    start(app)


def _is_claimed() -> bool:
    """Try to take the lock; whether this process holds it. It is released when the process dies."""
    try:
        fcntl.lockf(_claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _empty_file() -> int:
    """The descriptor of an unnamed file, in memory where the system supports it."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("worker-threads")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
