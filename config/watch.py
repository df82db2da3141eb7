"""A worker that hears nothing keeps the timetable by itself: the broker, or beat, may be dead.

Letters and deadlines are rows in the database, so all that a dead broker can take away is the
wake-up; and every task of the timetable may run twice without harm.
"""

import logging
import threading
import time
from typing import Any

from celery import Celery
from celery.signals import task_received, worker_init, worker_ready, worker_shutting_down
from django.db import connections

from games.relay.nudge import nudge

log = logging.getLogger(__name__)

SILENCE = 30.0  # seconds; beat alone is heard every fifteen
STEP = 10.0

_heard = time.monotonic()
_stop = threading.Event()


@task_received.connect
def _hear(**_: Any) -> None:
    global _heard
    _heard = time.monotonic()


@worker_init.connect
def _begin(sender: Any, **_: Any) -> None:
    _hear()
    threading.Thread(target=_watch, args=[sender.app], name="watch", daemon=True).start()


@worker_ready.connect
def _look(**_: Any) -> None:
    # What a killed worker has left should not wait for a tick.
    nudge()


@worker_shutting_down.connect
def _end(**_: Any) -> None:
    _stop.set()


def _watch(app: Celery) -> None:
    done: dict[str, float] = {}
    while not _stop.wait(STEP):
        if time.monotonic() - _heard > SILENCE:
            keep(app, done)
            connections.close_all()


def keep(app: Celery, done: dict[str, float]) -> None:
    """Run here what the timetable has due by `done`: when each of its tasks was last run here."""
    for entry in app.conf.beat_schedule.values():
        name = entry["task"]
        if time.monotonic() - done.get(name, 0.0) < entry["schedule"]:
            continue
        try:
            app.tasks[name]()
        except Exception as error:
            log.warning("%s failed without its broker (%s).", name, type(error).__name__)
        done[name] = time.monotonic()
