"""Writes the heartbeat from a thread of each worker, however busy its task slots are.

It is a thread and no task, so a full queue cannot delay it. Several workers may write it; without
any there is no heartbeat, as it should be.
"""

import logging
import threading
import time

from celery import Celery
from django.db import connections

log = logging.getLogger(__name__)

PROBE_SECONDS = 20.0  # six in the two minutes after which there is an outage
FIRST_SECONDS = 1.0


def run(_app: Celery, stop: threading.Event) -> None:
    """Write a heartbeat every PROBE_SECONDS until `stop` is set."""
    pause = FIRST_SECONDS
    while not stop.wait(pause):
        begun = time.monotonic()
        try:
            # Models cannot be imported before the worker has loaded its apps.
            from games.play.commands import health

            health.take_heartbeat()
        except Exception as error:
            log.warning("No heartbeat could be written (%s).", type(error).__name__)
        finally:
            connections.close_all()
        pause = max(FIRST_SECONDS, PROBE_SECONDS - (time.monotonic() - begun))
