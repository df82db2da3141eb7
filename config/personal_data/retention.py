"""Retention: collects every app's retention periods, and deletes expired rows by them."""

import logging
import time
from collections import Counter, deque
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection

from accounts import retention_periods as accounts
from games.idempotency import retention_periods as idempotency
from games.lobby import retention_periods as lobby
from games.mail import retention_periods as mail
from games.notifications import retention_periods as notifications
from games.notifications.email.demo import file_backend
from games.outbox import retention_periods as outbox
from games.people import retention_periods as people
from games.play import retention_periods as play
from games.talk import retention_periods as talk
from games.watch import retention_periods as watch
from lib.db_clock import now
from lib.retention import BATCH_ROWS, Kept

log = logging.getLogger(__name__)

MAX_RUN_SECONDS = 10.0  # the next run deletes the rest

DELETE_EXPIRED = """
    DELETE FROM {table} WHERE cache_key IN (
        SELECT cache_key FROM {table} WHERE expires < %s ORDER BY expires LIMIT %s)
"""


def expired_counters(horizon: datetime) -> Iterator[int]:
    """Delete expired rows of the cache tables, mostly counters of rate limits, batch by batch."""
    tables = [
        cache["LOCATION"]
        for cache in settings.CACHES.values()
        if cache["BACKEND"].endswith("DatabaseCache")
    ]
    expired = connection.ops.adapt_datetimefield_value(horizon.replace(microsecond=0))
    for table in tables:
        statement = DELETE_EXPIRED.format(table=connection.ops.quote_name(table))
        count = BATCH_ROWS
        while count == BATCH_ROWS:
            with connection.cursor() as cursor:
                cursor.execute(statement, [expired, BATCH_ROWS])
                count = cursor.rowcount
            yield count


KEPT: tuple[Kept, ...] = (
    *accounts.KEPT,
    *outbox.KEPT,
    *idempotency.KEPT,
    *play.KEPT,
    *people.KEPT,
    *lobby.KEPT,
    *talk.KEPT,
    *watch.KEPT,
    *notifications.KEPT,
    *mail.KEPT,
    Kept(
        "counters of rate limits, where they are in the database",
        timedelta(0),
        "their end",
        "`expires`",
        expired_counters,
    ),
    Kept(
        "e-mails that were written to files in `var/mail`, without a mail server",
        timedelta(days=30),
        "they were written",
        "the files' names",
        file_backend.delete_old,
    ),
)


def clean_up(seconds: float = MAX_RUN_SECONDS) -> Counter[str]:
    """Delete what is past its retention period, one batch of each kind in turn.

    Stops when nothing is due or the time is over; the next run continues. Returns counts by kind.
    """
    at, until = now(), time.monotonic() + seconds
    deleted: Counter[str] = Counter()
    waiting = deque((kept, kept.delete_due(at)) for kept in KEPT)
    while waiting and time.monotonic() < until:
        kept, batches = waiting.popleft()
        try:
            deleted[kept.what] += next(batches)
        except StopIteration:
            continue
        except Exception as error:
            # One failing kind must not block the others.
            log.error("The clean-up failed for: %s (%s).", kept.what, type(error).__name__)
            continue
        waiting.append((kept, batches))
    for what, count in (+deleted).items():
        log.info("Deleted %d: %s.", count, what)
    if waiting:
        log.info("More rows are due; the next clean-up continues.")
    return +deleted
