"""What beat would run, when there is next something for it to do, and what is left of a process."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from games.play import tasks, timekeeper
from games.play.models.match import Player
from games.play.models.time import Heartbeat
from games.play.queries import ReadyQuery
from games.relay import carrier, once
from tests.secrecy.dump import dump

TASKS: list[tuple[str, Callable[[], object]]] = [
    ("drain", carrier.drain),
    ("sweep", lambda: dict(+timekeeper.sweep()) or None),
]
CHORES: list[tuple[str, Callable[[], object]]] = [("tidy", carrier.tidy), ("forget", once.tidy)]
drain = carrier.drain
beat = tasks.beat


# Asked before each step; Django would take longer to write them than to answer them.
CHECKS = "SELECT MIN(check_at) FROM play_player"
POSTS = """
    SELECT MIN(MAX(not_before, COALESCE(lease_until, not_before))) FROM relay_dispatch
    WHERE sent_at IS NULL AND superseded_at IS NULL AND dead_at IS NULL
"""


@ReadyQuery
def to_act() -> QuerySet[Any, Any]:
    """The players whose turn it is."""
    return Player.objects.filter(to_act=True).order_by("pk").values_list("pk")


def next_due() -> datetime | None:
    """When a task will next have something to do; perhaps in the past, if it has not been run."""
    instants = []
    with connection.cursor() as cursor:
        for question in (CHECKS, POSTS):
            cursor.execute(question)
            instants += [instant for (instant,) in cursor.fetchall() if instant]
    return datetime.fromisoformat(min(instants)).replace(tzinfo=UTC) if instants else None


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
