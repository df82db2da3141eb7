"""Wakes a worker from a thread of its own, so that no page waits for the broker, alive or dead.

A lost wake-up costs some seconds until the next tick and nothing else. A burst of them is one for
each task that is wanted: the drain, unless another is named.
"""

import logging
import threading
import time

from celery import current_app
from django.db import connections

log = logging.getLogger(__name__)

PAUSE_SECONDS = 0.1  # seconds between two wake-ups
BACKOFF_SECONDS = 30.0  # seconds without any after the broker has refused one

DRAIN = "games.outbox.tasks.drain"

_lock = threading.Lock()
_wanted: set[str] = set()
_quiet_until = 0.0
_thread: threading.Thread | None = None


def wake_worker(task: str = DRAIN) -> None:
    """See to it that a worker soon runs a task. Returns at once and never fails."""
    global _thread
    with _lock:
        _wanted.add(task)
        # After a fork, a thread that was left behind is not alive.
        busy = _thread is not None and _thread.is_alive()
        if not busy and time.monotonic() >= _quiet_until:
            _thread = threading.Thread(target=_wake_while_wanted, name="wake-worker")
            _thread.start()


def _wake_while_wanted() -> None:
    global _thread, _quiet_until
    while True:
        with _lock:
            if not _wanted:
                _thread = None
                break
            tasks = sorted(_wanted)
            _wanted.clear()
        if not all(publish_wake_up(task) for task in tasks):
            _quiet_until = time.monotonic() + BACKOFF_SECONDS
            _wanted.clear()
        time.sleep(PAUSE_SECONDS)
    connections.close_all()


def publish_wake_up(task: str = DRAIN) -> bool:
    """Ask the broker for one run of a task; whether it took the message."""
    try:
        current_app.send_task(task, retry=False)
    except Exception as error:
        log.warning("The broker took no wake-up (%s); a tick will do.", type(error).__name__)
        return False
    return True
