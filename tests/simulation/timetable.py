"""What beat would run, when a task next has work, and what a killed process leaves."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from config.personal_data import retention
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
    """What a wake-up starts: messages are read, then the outbox is sent."""
    return worker.process_waiting(), dispatcher.drain()


def beat() -> None:
    """What a worker does first when the service is up again."""
    heartbeat.beat()
    settlement.settle()


# Run before each step; Django would take longer to build the queries than the database to run them.
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
    """When a task will next have work; possibly in the past, if it has not been run."""
    instants = []
    with connection.cursor() as cursor:
        for question in (CHECKS, POSTS, MESSAGES):
            cursor.execute(question)
            instants += [instant for (instant,) in cursor.fetchall() if instant]
    return datetime.fromisoformat(min(instants)).replace(tzinfo=UTC) if instants else None


def has_beaten(at: datetime) -> None:
    """Set the last beat to `at`, in place of a beat for each minute until then: too many to run.

    What a beat does after a gap is not left out, see `beat`.
    """
    Heartbeat.objects.filter(last_beat_at__lt=at).update(last_beat_at=at)


def bury() -> None:
    """A process has died: the database rolls back what it had not committed."""
    connection.needs_rollback = False
    if connection.connection is not None and connection.connection.in_transaction:
        connection.connection.execute("ROLLBACK")


def rows() -> Iterator[str]:
    """Every row of the database."""
    for table, content in dump():
        yield f"{table}: {content!r}"
