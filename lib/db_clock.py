"""The database's clock: the only source of the present, since there may be several servers.

Tests and simulations freeze it with `frozen_at`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from django.db import connection
from django.db.models import DateTimeField, Value
from django.db.models.functions import Now

_held: ContextVar[datetime | None] = ContextVar("held", default=None)

ASK = {
    "postgresql": "SELECT statement_timestamp()",
    "sqlite": "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')",
}


def now_expression() -> Now | Value:
    """The present as a database expression, for queries that compare with it or return it."""
    held = _held.get()
    return Now() if held is None else Value(held, output_field=DateTimeField())


def unless_frozen(instant: datetime) -> datetime:
    """The instant that a query returned as the present, or the frozen one."""
    return _held.get() or instant


def now() -> datetime:
    """The present, in UTC, by one small query."""
    held = _held.get()
    if held is not None:
        return held
    with connection.cursor() as cursor:
        cursor.execute(ASK[connection.vendor])
        value: datetime | str = cursor.fetchone()[0]
    if isinstance(value, str):
        value = datetime.fromisoformat(value).replace(tzinfo=UTC)
        # SQLite compares instants as text, in which 12:00:00 sorts before 12:00:00.000.
        value = value.replace(microsecond=value.microsecond or 1)
    return value.astimezone(UTC)


@contextmanager
def frozen_at(instant: datetime) -> Iterator[None]:
    """Within the block, the present is `instant`."""
    token = _held.set(instant)
    try:
        yield
    finally:
        _held.reset(token)
