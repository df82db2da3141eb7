"""Batches: reads a table in small lists by primary key, while others write to it."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

BATCH_ROWS = 500


def batches(rows: QuerySet[Any], size: int = BATCH_ROWS) -> Iterator[list[Any]]:
    """All rows in lists of at most `size`. Holds no cursor, so the caller may be slow."""
    left = rows.order_by("pk")
    while batch := list(left[:size]):
        yield batch
        left = rows.filter(pk__gt=batch[-1].pk).order_by("pk")
