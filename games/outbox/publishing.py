"""Publishing: writes the rows of an event in the transaction that causes it.

The dispatcher delivers each row later, at least once.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.outbox import registry
from games.outbox.events import Event
from games.outbox.models import PENDING, Dispatch
from games.outbox.wake_worker import wake_worker
from lib import log_context
from lib.database.prepared_inserts import PreparedInsert
from lib.db_clock import frozen_time, now, now_expression

AHEAD = timedelta(days=1)  # by which urgent rows are backdated, since the longest due go first

_insert_new = PreparedInsert(Dispatch, created_at=Now(), not_before=Now())
_insert = PreparedInsert(Dispatch, ignore_conflicts=True, created_at=Now(), not_before=Now())


class _Row(NamedTuple):
    handler: str
    event: str
    user_id: int | None
    ids: dict[str, int]
    urgent: bool = False


def publish(event: Event, *, is_new: bool = False) -> None:
    """Write a row for each subscriber that wants one; idempotent.

    `is_new`: that it was never published is certain from a lock of the caller. PostgreSQL then
    writes less; a second time raises IntegrityError.

    Raises LookupError for an event without an entry in config/subscribers.py, TypeError for a field
    that is not an int, and TransactionManagementError outside a transaction.
    """
    _write(event.name, _rows(event), _insert_new if is_new else _insert)


def enqueue(
    handler: str, event: str, *, user: AbstractBaseUser | int | None = None, **ids: int
) -> None:
    """Write one row for the handler with this key, for rooms that fan out an event themselves.

    Raises OtherVersion for an unknown key.
    """
    registry.handler_of(handler)
    user_id = user.pk if isinstance(user, AbstractBaseUser) else user
    _write(event, (_Row(handler, event, user_id, ids),))


def was_published(events: Iterable[Event]) -> bool:
    """Whether any of these events was published; false once its rows have been deleted."""
    keys = [_dedupe(*row[:4]) for event in events for row in _rows(event)]
    return Dispatch.objects.filter(dedupe__in=keys).exists()


def rows_with(
    handler: str, event: str, user_id: int | None, *ids: dict[str, int]
) -> QuerySet[Dispatch]:
    """The rows of an event for one handler and user, with any of these ids."""
    keys = [_dedupe(handler, event, user_id, each) for each in ids]
    return Dispatch.objects.filter(dedupe__in=keys)


def reschedule(user: AbstractBaseUser) -> None:
    """Make this user's pending rows due now, for example after a change of their quiet hours."""
    reschedule_all([user.pk])


def reschedule_all(users: Collection[int]) -> None:
    """Make the pending rows of these users, by id, due now; failed ones keep their retry time.

    Their handlers then decide again when to send.
    """
    waiting = Dispatch.objects.filter(PENDING, user__in=users, attempts=0)
    if waiting.update(not_before=now_expression()):
        transaction.on_commit(wake_worker, robust=True)


def _rows(event: Event) -> Iterator[_Row]:
    ids = event.ids
    for subscriber in registry.subscribers_of(event):
        for user_id in subscriber.rows(event):
            yield _Row(subscriber.key, event.name, user_id, ids, subscriber.urgent)


def _write(event: str, rows: Iterable[_Row], insert: PreparedInsert = _insert) -> None:
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(
            f"{event} must be published in the transaction that causes it."
        )
    instant, cause = frozen_time(), log_context.cause()
    dispatches = [
        Dispatch(
            event=row.event,
            handler=row.handler,
            user_id=row.user_id,
            ref=row.ids,
            dedupe=_dedupe(*row[:4]),
            created_at=instant,
            not_before=now() - AHEAD if row.urgent else instant,
            cause=cause,
        )
        for row in rows
    ]
    if dispatches:
        insert.insert_rows(dispatches)
        transaction.on_commit(wake_worker, robust=True)


def _dedupe(handler: str, event: str, user_id: int | None, ids: dict[str, int]) -> str:
    parts = [f"{name}={number}" for name, number in sorted(ids.items())]
    return " ".join([handler, event, f"user={user_id}", *parts])
