"""Writes the heartbeat from a thread of each worker, however busy its task slots are.

It is no task: what beats must not wait behind what beats are counted for. Several workers are
harmless, and without any there is no heartbeat, as there should not be.
"""

import logging
import threading
import time
from typing import Any

from celery.signals import worker_init, worker_shutting_down
from django.db import connections

log = logging.getLogger(__name__)

PROBE_SECONDS = 20.0  # six in the two minutes after which there is an outage
FIRST_SECONDS = 1.0

_stop = threading.Event()


@worker_init.connect
def _start_thread(sender: Any, **_: Any) -> None:
    # A worker that thinks for the house sends no e-mail and ends nothing on time; while only it
    # runs, moves are not told of, and time must not count.
    if sender.app.conf.task_default_queue not in sender.app.amqp.queues.consume_from:
        return
    threading.Thread(target=_run, name="heartbeat", daemon=True).start()


@worker_shutting_down.connect
def _stop_thread(**_: Any) -> None:
    _stop.set()


def _run() -> None:
    pause = FIRST_SECONDS
    while not _stop.wait(pause):
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
