"""What beat would run, when there is next something for it to do, and what is left of a process."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from config import retention
from games.mail.answering import worker
from games.outbox.delivery import dispatcher
from games.play.clocks import heartbeat, settlement
from games.play.commands import deadlines
from games.play.models.match import Player
from games.play.models.time import Heartbeat
from lib.database.prepared_queries import PreparedQuery
from tests.secrecy.dump import dump

TASKS: list[tuple[str, Callable[[], object]]] = [
    ("drain", dispatcher.drain),
    ("read", lambda: worker.process_waiting() or None),
    ("settle", settlement.settle),
    ("sweep", lambda: dict(+deadlines.sweep()) or None),
]
CHORES: list[tuple[str, Callable[[], object]]] = [
    ("clean up", retention.clean_up),
]


def wake() -> tuple[int, int]:
    """What a wake-up starts: messages are read, then what came of them goes out."""
    return worker.process_waiting(), dispatcher.drain()


def beat() -> None:
    """What a worker does first when the service is back."""
    heartbeat.beat()
    settlement.settle()


# Asked before each step; Django would take longer to write them than to answer them.
CHECKS = "SELECT MIN(check_at) FROM play_player"
POSTS = """
    SELECT MIN(MAX(not_before, COALESCE(lease_until, not_before))) FROM outbox_dispatch
    WHERE sent_at IS NULL AND superseded_at IS NULL AND dead_at IS NULL
"""
MESSAGES = """
    SELECT MIN(COALESCE(lease_until, arrived_at)) FROM mail_incomingmessage WHERE done_at IS NULL
"""


@PreparedQuery
def to_act() -> QuerySet[Any, Any]:
    """The players whose turn it is."""
    return Player.objects.filter(to_act=True).order_by("pk").values_list("pk")


def next_due() -> datetime | None:
    """When a task will next have something to do; perhaps in the past, if it has not been run."""
    instants = []
    with connection.cursor() as cursor:
        for question in (CHECKS, POSTS, MESSAGES):
            cursor.execute(question)
            instants += [instant for (instant,) in cursor.fetchall() if instant]
    return datetime.fromisoformat(min(instants)).replace(tzinfo=UTC) if instants else None


def has_beaten(at: datetime) -> None:
    """The minutes until now have passed, and with each there was a beat: too many to live through.

    What a beat does after a gap is not left out, see `beat`.
    """
    Heartbeat.objects.filter(last_beat_at__lt=at).update(last_beat_at=at)


def bury() -> None:
    """A process has died: the database takes back what it had not committed."""
    connection.needs_rollback = False
    if connection.connection is not None and connection.connection.in_transaction:
        connection.connection.execute("ROLLBACK")


def rows() -> Iterator[str]:
    """Every row of the database."""
    for table, content in dump():
        yield f"{table}: {content!r}"
