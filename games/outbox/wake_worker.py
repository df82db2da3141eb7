"""Wakes a worker through the broker, in a background thread, so that no page waits for the broker.

A lost wake-up only delays work until the next tick, some seconds later. A burst of wake-ups is sent
as one for each task.
"""

import logging
import os
import threading
import time

from celery import current_app
from django.db import connections

log = logging.getLogger(__name__)

PAUSE_SECONDS = 0.1  # between two wake-ups
BACKOFF_SECONDS = 30.0  # without wake-ups, after the broker has failed

DRAIN = "games.outbox.tasks.drain"

_lock = threading.Lock()
# A child that is forked while another thread holds the lock would wait for it for ever.
os.register_at_fork(
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)
_wanted: set[str] = set()
_quiet_until = 0.0
_thread: threading.Thread | None = None


def wake_worker(task: str = DRAIN) -> None:
    """Have a worker run this task soon. Returns at once and never raises."""
    global _thread
    with _lock:
        _wanted.add(task)
        # After a fork, the parent's thread is not alive in the child.
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
    """Send the broker a message to run this task; returns whether it accepted the message."""
    try:
        current_app.send_task(task, retry=False)
    except Exception as error:
        log.warning("The broker took no wake-up (%s); a tick will do.", type(error).__name__)
        return False
    return True
