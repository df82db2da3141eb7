"""The Celery app and beat's schedule. Every scheduled task is idempotent."""

import os
from typing import Any

from celery import Celery
from celery.signals import celeryd_init
from kombu.transport import TRANSPORT_ALIASES

from config.logs import task_logs  # noqa: F401

# Imported for their receivers of Celery's signals.
from config.processes import start_check, worker_threads  # noqa: F401

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Kombu's own transports crash the worker on a half-written file or a lost broker connection.
TRANSPORT_ALIASES["filesystem"] = "config.processes.file_broker:Transport"
TRANSPORT_ALIASES |= dict.fromkeys(("redis", "rediss"), "config.processes.redis_broker:Transport")

app = Celery("estafette")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def _print_no_banner(instance: Any, **_: Any) -> None:
    # A worker whose output goes to a full disk would crash while it prints the banner; a log line
    # that cannot be written is only lost.
    instance.quiet = True


celeryd_init.connect(_print_no_banner)


# Beat counts from its start, so with frequent restarts a task rarer than hourly might never run.
app.conf.beat_schedule = {
    "deliver due rows of the outbox": {"task": "games.outbox.tasks.drain", "schedule": 15.0},
    "read messages that came in": {"task": "games.mail.tasks.read_messages", "schedule": 15.0},
    "fetch mail by IMAP": {"task": "games.mail.tasks.fetch_mail", "schedule": 60.0},
    "credit outages": {"task": "games.play.tasks.settle", "schedule": 30.0},
    "sweep deadlines and reminders": {"task": "games.play.tasks.sweep", "schedule": 30.0},
    "play answers of plans": {
        "task": "games.play.tasks.answer_plans",
        "schedule": 15.0,
        "options": {"expires": 15.0},
    },
    "make endings final": {"task": "games.play.tasks.make_final", "schedule": 30.0},
    "count rated results": {"task": "games.ratings.tasks.count", "schedule": 60.0},
    "ladders and tournaments": {"task": "games.competitions.tasks.sweep", "schedule": 60.0},
    "tell administrators what is wrong": {"task": "config.tasks.watch", "schedule": 60.0},
    "answer for the house": {
        "task": "games.house.tasks.answer",
        "schedule": 15.0,
        # Without a worker, these tasks pile up; the newest one is enough.
        "options": {"expires": 15.0},
    },
    "make films that were ordered": {"task": "games.archive.tasks.make_film", "schedule": 30.0},
    "close stale invitations": {"task": "games.lobby.tasks.sweep", "schedule": 600.0},
    "close accounts on their last day": {"task": "config.tasks.close_accounts", "schedule": 600.0},
    "notify owners of tokens that expire": {
        "task": "config.tasks.warn_of_tokens",
        "schedule": 600.0,
    },
    "delete after the retention periods": {"task": "config.tasks.clean_up", "schedule": 600.0},
}
