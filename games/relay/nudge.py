"""Wakes a worker, from a thread of its own: no page ever waits for the broker, alive or dead.

A lost wake-up costs some seconds until the next tick and nothing else. A burst of them is one.
"""

import logging
import threading
import time

from celery import current_app
from django.db import connections

log = logging.getLogger(__name__)

PAUSE = 0.1  # seconds between two wake-ups
QUIET = 30.0  # seconds without any after the broker has refused one

_lock = threading.Lock()
_wanted = False
_quiet_until = 0.0
_thread: threading.Thread | None = None


def nudge() -> None:
    """See to it that a worker soon looks into the outbox. Returns at once and never fails."""
    global _wanted, _thread
    with _lock:
        _wanted = True
        # After a fork, a thread that was left behind is not alive.
        busy = _thread is not None and _thread.is_alive()
        if not busy and time.monotonic() >= _quiet_until:
            _thread = threading.Thread(target=_wake_while_wanted, name="nudge")
            _thread.start()


def _wake_while_wanted() -> None:
    global _wanted, _thread, _quiet_until
    while True:
        with _lock:
            if not _wanted:
                _thread = None
                break
            _wanted = False
        if not wake():
            _quiet_until = time.monotonic() + QUIET
            _wanted = False
        time.sleep(PAUSE)
    connections.close_all()


def wake() -> bool:
    """Ask the broker for one run of the drain; whether it took the message."""
    try:
        current_app.send_task("games.relay.tasks.drain", retry=False)
    except Exception as error:
        log.warning("The broker took no wake-up (%s); a tick will do.", type(error).__name__)
        return False
    return True
