"""The database's clock: the only source of the current time, since there may be several servers.

Tests and simulations freeze it with `frozen_at`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, Value
from django.db.models.functions import Now

_frozen: ContextVar[datetime | None] = ContextVar("frozen_at", default=None)

CURRENT_TIME_SQL = {
    "postgresql": "SELECT statement_timestamp()",
    "sqlite": "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')",
}


def now_expression() -> Now | Value:
    """The current time as a database expression, for use in a query."""
    frozen = _frozen.get()
    return Now() if frozen is None else Value(frozen, output_field=DateTimeField())


def frozen_time() -> Any:
    """The frozen time, or None: the database's clock runs."""
    return _frozen.get()


def unless_frozen(instant: datetime) -> datetime:
    """The frozen time if there is one, else `instant`, which a query returned as current time."""
    return _frozen.get() or instant


def now() -> datetime:
    """The current time in UTC, by one small query."""
    frozen = _frozen.get()
    if frozen is not None:
        return frozen
    with connection.cursor() as cursor:
        cursor.execute(CURRENT_TIME_SQL[connection.vendor])
        value: datetime | str = cursor.fetchone()[0]
    if isinstance(value, str):
        value = datetime.fromisoformat(value).replace(tzinfo=UTC)
        # SQLite compares instants as text, in which 12:00:00 sorts before 12:00:00.000.
        value = value.replace(microsecond=value.microsecond or 1)
    return value.astimezone(UTC)


@contextmanager
def frozen_at(instant: datetime) -> Iterator[None]:
    """Context manager: within the block, the current time is `instant`."""
    token = _frozen.set(instant)
    try:
        yield
    finally:
        _frozen.reset(token)
