"""What beat would run, when there is next something for it to do, and what is left of a process."""

from collections.abc import Callable, Iterator
from datetime import datetime

from django.db import connection
from django.db.models import F, Min
from django.db.models.functions import Coalesce, Greatest

from games.play import outages, tasks, timekeeper
from games.play.models.match import Player
from games.play.models.time import Heartbeat
from games.relay import carrier, once
from games.relay.models import WAITING, Dispatch
from tests.secrecy.dump import dump

TASKS: list[tuple[str, Callable[[], object]]] = [
    ("drain", carrier.drain),
    ("sweep", lambda: dict(+timekeeper.sweep()) or None),
    ("tidy", carrier.tidy),
    ("forget", once.tidy),
]
drain = carrier.drain
beat = tasks.beat
GAP = outages.GAP


def next_due(at: datetime) -> datetime | None:
    """When a task will next have something to do; perhaps in the past, if it has not been run."""
    checks = Player.objects.filter(check_at__isnull=False)
    instants = [
        checks.aggregate(first=Min("check_at"))["first"],
        Dispatch.objects.filter(WAITING).aggregate(
            first=Min(Greatest("not_before", Coalesce(F("lease_until"), F("not_before"))))
        )["first"],
    ]
    return min(filter(None, instants), default=None)


def has_beaten(at: datetime) -> None:
    """The minutes until now have passed, and with each there was a beat: too many to live through.

    What a beat does after a gap is not left out, see `beat`.
    """
    Heartbeat.objects.filter(beaten__lt=at).update(beaten=at)


def bury() -> None:
    """A process has died: the database takes back what it had not committed."""
    connection.needs_rollback = False
    if connection.connection is not None and connection.connection.in_transaction:
        connection.connection.execute("ROLLBACK")


def rows() -> Iterator[str]:
    """Every row of the database."""
    for table, content in dump():
        yield f"{table}: {content!r}"
