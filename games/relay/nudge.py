"""Wakes a worker, from a thread of its own: no page ever waits for the broker, alive or dead.

A lost wake-up costs some seconds until the next tick and nothing else. A burst of them is one.
"""

import logging
import threading
import time

from celery import current_app
from django.db import close_old_connections

log = logging.getLogger(__name__)

PAUSE = 0.1  # seconds between two wake-ups
QUIET = 30.0  # seconds without any after the broker has refused one

_wanted = threading.Event()
_starting = threading.Lock()
_thread: threading.Thread | None = None


def nudge() -> None:
    """See to it that a worker soon looks into the outbox. Returns at once and never fails."""
    global _thread
    _wanted.set()
    if _thread is None or not _thread.is_alive():
        with _starting:
            # Not alive either after a fork, in a process that serves pages.
            if _thread is None or not _thread.is_alive():
                _thread = threading.Thread(target=_keep_waking, name="nudge", daemon=True)
                _thread.start()


def _keep_waking() -> None:
    while _wanted.wait():
        _wanted.clear()
        time.sleep(PAUSE if wake() else QUIET)


def wake() -> bool:
    """Ask the broker for one run of the drain; whether it took the message."""
    try:
        close_old_connections()
        current_app.send_task("games.relay.tasks.drain", retry=False)
    except Exception as error:
        log.warning("The broker took no wake-up (%s); a tick will do.", type(error).__name__)
        return False
    return True
