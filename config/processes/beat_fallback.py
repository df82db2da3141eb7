"""Runs beat's schedule in the worker after 30 s without tasks: the broker, or beat, may be dead.

E-mails and deadlines are rows in the database, so all that a dead broker can take away is the
wake-up; and every task of the schedule may run twice without harm.
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

from config.logs import records
from games.outbox.wake_worker import publish_wake_up

log = logging.getLogger(__name__)

SILENCE_SECONDS = 30.0  # beat alone is heard every fifteen
CHECK_SECONDS = 10.0

# When the worker last got a task, in seconds of the monotonic clock. The parent of a prefork pool
# gets the tasks and a child asks, so it is memory that forks share.
_last_task_at = mmap.mmap(-1, 8)


@task_received.connect
def note_task(**_: Any) -> None:
    """Note that the worker has just got a task."""
    struct.pack_into("d", _last_task_at, 0, time.monotonic())


def run(app: Celery, stop: threading.Event) -> None:
    """Run what is due whenever the worker gets no tasks, until `stop` is set."""
    # Rows that a killed worker has left should not wait for a tick.
    publish_wake_up()
    last_runs: dict[str, float] = {}
    while not stop.wait(CHECK_SECONDS):
        if time.monotonic() - struct.unpack_from("d", _last_task_at)[0] > SILENCE_SECONDS:
            run_due_tasks(app, last_runs, time.monotonic())
            connections.close_all()


def takes(app: Celery, task: str) -> bool:
    """Whether this worker takes that task from the broker: it is of one of its queues."""
    queue = app.amqp.router.route({}, task)["queue"]
    return getattr(queue, "name", queue) in app.amqp.queues.consume_from


def run_due_tasks(app: Celery, last_runs: dict[str, float], now: float) -> None:
    """Run each task of our queues that is due; note in `last_runs` that it ran `now`.

    What was never run here is due: when it last ran elsewhere, nobody knows. `now` is of a clock
    that may have started at any time, as the monotonic one does with the machine.
    """
    for entry in app.conf.beat_schedule.values():
        name = entry["task"]
        if not takes(app, name):
            continue
        if name in last_runs and now - last_runs[name] < entry["schedule"]:
            continue
        last_runs[name] = now
        try:
            with records.bound(task=name):
                app.tasks[name]()
        except Exception as error:
            log.warning("%s failed without its broker (%s).", name, type(error).__name__)
