"""The counter where events are handed in, and what handlers find there.

A post is part of the transaction that caused it, or it is refused. A handler is called with a
Dispatch and its Batch: returning means done, raising Superseded means no longer true, Later that it
is too early, TurnedAway that the far side will never take it, and any other exception means that it
is to be tried again.
"""

import contextlib
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction
from django.utils.module_loading import import_string

from games.relay.models import WAITING, Dispatch
from games.relay.moment import present
from games.relay.nudge import nudge

Resource = TypeVar("Resource")


class Superseded(Exception):  # noqa: N818 -- nothing went wrong.
    """Raised by a handler: events have overtaken what it would have said."""


class Later(Exception):  # noqa: N818 -- nothing went wrong.
    """Raised by a handler: the time for this has not come; it is to be called again at `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class TurnedAway(OSError):  # noqa: N818 -- it tells of the far side.
    """The far side refuses this for good; trying again would change nothing."""


class Unreachable(OSError):  # noqa: N818 -- it tells of the far side.
    """The far side takes nothing at all at present; this dispatch may be as good as any."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind  # the name of the exception that said so


class Batch:
    """Resources by name, such as one open connection to the mail server for a hundred letters.

    `rows` are what was claimed together, in the order in which it is delivered.
    """

    def __init__(self, rows: Sequence[Dispatch] = ()) -> None:
        self.rows = rows
        self._kept: dict[str, Any] = {}
        self._refused: dict[str, str] = {}

    def keep(self, key: str, factory: Callable[[], Resource]) -> Resource:
        """The resource of that name, made at its first use and closed by `close()` after the last.

        Where `factory` raises an OSError, this and every later call of the batch raise Unreachable:
        a hundred letters need not each find out for themselves that the mail server is down.
        """
        if key in self._refused:
            raise Unreachable(self._refused[key])
        if key not in self._kept:
            try:
                self._kept[key] = factory()
            except OSError as error:
                self._refused[key] = type(error).__name__
                raise Unreachable(self._refused[key]) from error
        resource: Resource = self._kept[key]
        return resource

    def close(self) -> None:
        """Close what is open; the next use opens it anew. A broken line may not close politely."""
        for resource in self._kept.values():
            with contextlib.suppress(Exception):
                resource.close()
        self._kept.clear()


Handler = Callable[[Dispatch, Batch], None]
_outside: set[Handler] = set()


def goes_outside(handler: Handler) -> Handler:
    """Marks a handler that calls on an address of its reader's choice, however slow that may be.

    What it has to do stands behind everything else that is due (carrier.py).
    """
    _outside.add(handler)
    return handler


def outside_handlers() -> tuple[str, ...]:
    """The names of the handlers that are marked so."""
    return _marked(settings.RELAY_TABLE)


def post(event: str, *, user: AbstractBaseUser | int | None = None, **ids: int) -> None:
    """Write down what must follow, a row for each handler; posted twice, it stands once.

    `ids` are primary keys and ply numbers by name (match=7, ply=12), never anything else. Raises
    LookupError for an event that nobody has heard of, TypeError for what is no id, and
    TransactionManagementError outside a transaction.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError(
            f"{event} must be posted in the transaction that causes it."
        )
    if not all(type(number) is int for number in ids.values()):
        raise TypeError(f"{event} may carry ids only.")
    user_id = user.pk if isinstance(user, AbstractBaseUser) else user
    instant = present()
    Dispatch.objects.bulk_create(
        [
            Dispatch(
                event=event,
                handler=handler,
                user_id=user_id,
                ref=ids,
                dedupe=_dedupe(handler, event, user_id, ids),
                created_at=instant,
                not_before=instant,
            )
            for handler in _handlers(event)
        ],
        ignore_conflicts=True,
    )
    transaction.on_commit(nudge, robust=True)


def reconsider(user: AbstractBaseUser | int) -> None:
    """Have what waits for this person looked at again soon: they wish other hours, perhaps.

    What failed before keeps its turn.
    """
    user_id = user.pk if isinstance(user, AbstractBaseUser) else user
    waiting = Dispatch.objects.filter(WAITING, user=user_id, attempts=0)
    if waiting.update(not_before=present()):
        transaction.on_commit(nudge, robust=True)


def _dedupe(handler: str, event: str, user_id: int | None, ids: dict[str, int]) -> str:
    parts = [f"{name}={number}" for name, number in sorted(ids.items())]
    return " ".join([handler, event, f"user={user_id}", *parts])


def _handlers(event: str) -> tuple[str, ...]:
    try:
        return _table(settings.RELAY_TABLE)[event]
    except KeyError:
        raise LookupError(f"The relay table names no handler of {event}.") from None


@cache
def _marked(name: str) -> tuple[str, ...]:
    named = {handler for handlers in _table(name).values() for handler in handlers}
    return tuple(sorted(handler for handler in named if import_string(handler) in _outside))


@cache
def _table(name: str) -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = import_string(name)
    return table
