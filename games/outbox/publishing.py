"""Transactional outbox: events are posted in the transaction that causes them.

Each becomes a row for each of its handlers, delivered later by the dispatcher, at least once.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction

from games.outbox import registry
from games.outbox.models import PENDING, Dispatch
from games.outbox.wake_worker import wake_worker
from lib.db_clock import now_expression

AHEAD = timedelta(days=1)  # that an urgent row is dated back, since the longest due go first


def post(event: str, *, user: AbstractBaseUser | int | None = None, **ids: int) -> None:
    """Write a row for each handler of an event; posted twice, it stands once.

    `ids` are primary keys and ply numbers by name (match=7, ply=12), never anything else. Raises
    LookupError for an event without handlers, TypeError for what is no id, and
    TransactionManagementError outside a transaction.
    """
    _write(registry.keys_of(event), event, (user,), ids)


def post_to_all(event: str, *, users: Iterable[int], **ids: int) -> None:
    """Post an event to many people by one statement, as `post` does to one."""
    _write(registry.keys_of(event), event, users, ids)


def post_to(
    handler: str, event: str, *, user: AbstractBaseUser | int | None = None, **ids: int
) -> None:
    """Write one row for the handler with this key, as `post` does for all those of an event."""
    registry.handler_of(handler)
    _write((handler,), event, (user,), ids)


def post_urgently(handler: str, event: str, **ids: int) -> None:
    """The same for what somebody waits for: it is delivered before whatever else is due."""
    registry.handler_of(handler)
    _write((handler,), event, (None,), ids, AHEAD)


def was_posted(event: str, user_id: int, each: Iterable[dict[str, int]]) -> bool:
    """Whether an event was posted to somebody with any of these ids; as long as rows are kept."""
    handler = registry.keys_of(event)[0]
    keys = [_dedupe(handler, event, user_id, ids) for ids in each]
    return Dispatch.objects.filter(dedupe__in=keys).exists()


def reschedule(user: AbstractBaseUser | int) -> None:
    """Have this person's waiting rows looked at again soon: their hours may be others now.

    What failed before keeps its turn.
    """
    user_id = user.pk if isinstance(user, AbstractBaseUser) else user
    waiting = Dispatch.objects.filter(PENDING, user=user_id, attempts=0)
    if waiting.update(not_before=now_expression()):
        transaction.on_commit(wake_worker, robust=True)


def _write(
    handlers: tuple[str, ...],
    event: str,
    users: Iterable[AbstractBaseUser | int | None],
    ids: dict[str, int],
    ahead: timedelta = timedelta(0),
) -> None:
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(
            f"{event} must be posted in the transaction that causes it."
        )
    if not all(type(number) is int for number in ids.values()):
        raise TypeError(f"{event} may carry ids only.")
    user_ids = [user.pk if isinstance(user, AbstractBaseUser) else user for user in users]
    instant = now_expression()
    Dispatch.objects.bulk_create(
        [
            Dispatch(
                event=event,
                handler=handler,
                user_id=user_id,
                ref=ids,
                dedupe=_dedupe(handler, event, user_id, ids),
                created_at=instant,
                not_before=instant - ahead if ahead else instant,
            )
            for user_id in user_ids
            for handler in handlers
        ],
        ignore_conflicts=True,
    )
    transaction.on_commit(wake_worker, robust=True)


def _dedupe(handler: str, event: str, user_id: int | None, ids: dict[str, int]) -> str:
    parts = [f"{name}={number}" for name, number in sorted(ids.items())]
    return " ".join([handler, event, f"user={user_id}", *parts])
