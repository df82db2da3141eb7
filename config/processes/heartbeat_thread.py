"""Heartbeat thread: each worker writes the heartbeat that shows that moves can be taken.

A thread, so a full queue cannot delay it. Several workers may write it.
"""

import logging
import threading
import time

from celery import Celery
from django.db import connections

log = logging.getLogger(__name__)

PROBE_SECONDS = 20.0  # six in the two minutes after which an outage begins
FIRST_SECONDS = 1.0


def run(_app: Celery, stop: threading.Event) -> None:
    """Write a heartbeat every PROBE_SECONDS until `stop` is set."""
    pause = FIRST_SECONDS
    while not stop.wait(pause):
        start = time.monotonic()
        try:
            # Models cannot be imported before the worker has loaded its apps.
            from games.play.commands import health

            health.take_heartbeat()
        except Exception as error:
            log.warning("The heartbeat could not be written (%s).", type(error).__name__)
        finally:
            connections.close_all()
        pause = max(FIRST_SECONDS, PROBE_SECONDS - (time.monotonic() - start))
