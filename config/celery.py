"""The Celery app and its timetable: every task is a nudge, and running it twice changes nothing."""

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

from config import watch  # noqa: F401 -- it listens to the worker's signals.

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# The address "database://default" names the embedded broker.
TRANSPORT_ALIASES["database"] = "config.broker:Transport"

app = Celery("estafette")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# Beat begins to count when it starts, so what is rarer than an hour might never have its turn.
app.conf.beat_schedule = {
    "deliver what waits in the outbox": {"task": "games.relay.tasks.drain", "schedule": 15.0},
    "show that the service is alive": {"task": "games.play.tasks.beat", "schedule": 60.0},
    "look at the clocks": {"task": "games.play.tasks.sweep", "schedule": 30.0},
    "close invitations that nobody took": {"task": "games.lobby.tasks.sweep", "schedule": 600.0},
    "forget who never came back": {"task": "accounts.tasks.tidy", "schedule": 3600.0},
    "forget what was delivered long ago": {"task": "games.relay.tasks.tidy", "schedule": 3600.0},
    "take down dead mailboxes": {"task": "config.tasks.tidy", "schedule": 3600.0},
}
