"""Publishing: events become rows of the outbox in the transaction that causes them.

The dispatcher delivers each row later, at least once.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction

from games.outbox import registry
from games.outbox.events import Event
from games.outbox.models import PENDING, Dispatch
from games.outbox.wake_worker import wake_worker
from lib.db_clock import now_expression

AHEAD = timedelta(days=1)  # an urgent row is dated back by that, since the longest due go first


class _Row(NamedTuple):
    handler: str
    event: str
    user_id: int | None
    ids: dict[str, int]
    urgent: bool = False


def publish(event: Event) -> None:
    """Write a row for each subscriber that wants one; published twice, each row stands once.

    Raises LookupError for an event without an entry in config/subscribers.py, TypeError for a field
    that is no id, and TransactionManagementError outside a transaction.
    """
    _write(event.name, _rows(event))


def enqueue(
    handler: str, event: str, *, user: AbstractBaseUser | int | None = None, **ids: int
) -> None:
    """Write one row for the handler with this key, for a room that fans out an event further."""
    registry.handler_of(handler)
    user_id = user.pk if isinstance(user, AbstractBaseUser) else user
    _write(event, (_Row(handler, event, user_id, ids),))


def was_published(events: Iterable[Event]) -> bool:
    """Whether any of these events was published, as long as its rows are kept."""
    keys = [_dedupe(*row[:4]) for event in events for row in _rows(event)]
    return Dispatch.objects.filter(dedupe__in=keys).exists()


def reschedule(user: AbstractBaseUser | int) -> None:
    """Make this user's waiting rows due now: their quiet hours may have changed.

    What failed before keeps its turn.
    """
    user_id = user.pk if isinstance(user, AbstractBaseUser) else user
    waiting = Dispatch.objects.filter(PENDING, user=user_id, attempts=0)
    if waiting.update(not_before=now_expression()):
        transaction.on_commit(wake_worker, robust=True)


def _rows(event: Event) -> Iterator[_Row]:
    ids = event.ids
    for one in registry.subscribers_of(event):
        for user_id in one.rows(event):
            yield _Row(one.key, event.name, user_id, ids, one.urgent)


def _write(event: str, rows: Iterable[_Row]) -> None:
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(
            f"{event} must be published in the transaction that causes it."
        )
    instant = now_expression()
    dispatches = [
        Dispatch(
            event=row.event,
            handler=row.handler,
            user_id=row.user_id,
            ref=row.ids,
            dedupe=_dedupe(*row[:4]),
            created_at=instant,
            not_before=instant - AHEAD if row.urgent else instant,
        )
        for row in rows
    ]
    if dispatches:
        Dispatch.objects.bulk_create(dispatches, ignore_conflicts=True)
        transaction.on_commit(wake_worker, robust=True)


def _dedupe(handler: str, event: str, user_id: int | None, ids: dict[str, int]) -> str:
    parts = [f"{name}={number}" for name, number in sorted(ids.items())]
    return " ".join([handler, event, f"user={user_id}", *parts])
