"""Batches: reads a table in small lists by primary key, while other processes write to it."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

BATCH_ROWS = 500


def batches(rows: QuerySet[Any], size: int = BATCH_ROWS) -> Iterator[list[Any]]:
    """Yield all rows in lists of at most `size`. Holds no cursor, so the caller may be slow."""
    remaining = rows.order_by("pk")
    while batch := list(remaining[:size]):
        yield batch
        remaining = rows.filter(pk__gt=batch[-1].pk).order_by("pk")
