"""The database's clock: the only one that decides, since there may be several servers.

A test or a simulation may hold it still with `standing_at`.
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
    """The present as a database expression, for queries that compare with it or bring it along."""
    held = _held.get()
    return Now() if held is None else Value(held, output_field=DateTimeField())


def unless_frozen(instant: datetime) -> datetime:
    """The present that a query brought along, unless it is held still."""
    return _held.get() or instant


def now() -> datetime:
    """The present, asked of the database: one small query."""
    held = _held.get()
    if held is not None:
        return held
    with connection.cursor() as cursor:
        cursor.execute(ASK[connection.vendor])
        value: datetime | str = cursor.fetchone()[0]
    if isinstance(value, str):
        value = datetime.fromisoformat(value).replace(tzinfo=UTC)
        # SQLite compares instants as text, and there 12:00:00 comes before its own 12:00:00.000.
        value = value.replace(microsecond=value.microsecond or 1)
    return value.astimezone(UTC)


@contextmanager
def frozen_at(instant: datetime) -> Iterator[None]:
    """Within the block, every question for the present is answered with `instant`."""
    token = _held.set(instant)
    try:
        yield
    finally:
        _held.reset(token)
