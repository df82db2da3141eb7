"""Fallback for beat: after 30 s without tasks, the worker runs beat's schedule itself.

The broker or beat may be down. E-mails and deadlines are rows in the database, so without a broker
only wake-ups are lost, and every task of the schedule is idempotent.
"""

import logging
import mmap
import struct
import threading
import time
from typing import Any

from celery import Celery
from celery.signals import task_received
from django.db import connections

from games.outbox.wake_worker import publish_wake_up
from lib import log_context

log = logging.getLogger(__name__)

SILENCE_SECONDS = 30.0  # beat sends a task every 15 seconds
CHECK_SECONDS = 10.0

# When the worker last received a task, in seconds of the monotonic clock. In a prefork pool the
# parent receives tasks and a child reads this, so it is shared memory.
_last_task_at = mmap.mmap(-1, 8)


@task_received.connect
def note_task(**_: Any) -> None:
    """Record that the worker has received a task now."""
    struct.pack_into("d", _last_task_at, 0, time.monotonic())


def run(app: Celery, stop: threading.Event) -> None:
    """Run due tasks whenever the worker receives none, until `stop` is set."""
    # Rows that a killed worker left behind should not wait for a tick.
    publish_wake_up()
    last_runs: dict[str, float] = {}
    while not stop.wait(CHECK_SECONDS):
        if time.monotonic() - struct.unpack_from("d", _last_task_at)[0] > SILENCE_SECONDS:
            run_due_tasks(app, last_runs, time.monotonic())
            connections.close_all()


def takes(app: Celery, task: str) -> bool:
    """Whether this worker consumes the queue of this task."""
    queue = app.amqp.router.route({}, task)["queue"]
    return getattr(queue, "name", queue) in app.amqp.queues.consume_from


def run_due_tasks(app: Celery, last_runs: dict[str, float], now: float) -> None:
    """Run each due task of this worker's queues, and set its time in `last_runs` to `now`.

    A task that never ran here is due. `now` is in seconds of the monotonic clock.
    """
    for entry in app.conf.beat_schedule.values():
        name = entry["task"]
        if not takes(app, name):
            continue
        if name in last_runs and now - last_runs[name] < entry["schedule"]:
            continue
        last_runs[name] = now
        try:
            with log_context.bound(task=name):
                app.tasks[name]()
        except Exception as error:
            log.warning("%s, run without the broker, failed (%s).", name, type(error).__name__)
