"""Resealing: re-encrypts sealed columns that have older keys with the first key of SEAL_KEYS.

It can be stopped and restarted at any time, also while the service runs: the service writes with
the first key, and a row that it changes meanwhile is skipped.
"""

from collections.abc import Iterator
from string import Formatter
from typing import Any

from django.apps import apps
from django.db import connection, transaction

from lib.database.batches import batches
from lib.sealed_fields import SealedMixin
from lib.sealing import BrokenSealError, reseal

BATCH_ROWS = 50  # small, since a message may have a megabyte

# For each batch: the label of the field, the number of rows read, and of rows resealed.
Progress = Iterator[tuple[str, int, int]]


def sealed_fields() -> list[Any]:
    """The sealed fields of all models."""
    fields = (field for model in apps.get_models() for field in model._meta.local_fields)
    return [field for field in fields if isinstance(field, SealedMixin)]


def reseal_all() -> Progress:
    """Reseal all sealed fields in batches; raises BrokenSealError."""
    for field in sealed_fields():
        yield from _reseal_field(field)


def _reseal_field(field: Any) -> Progress:
    bound_to = [name for _text, name, *_rest in Formatter().parse(field.context) if name]
    rows = field.model._base_manager.only(field.name, *bound_to)
    for batch in batches(rows, BATCH_ROWS):
        filled = [row for row in batch if getattr(row, field.name)]
        updates = [update for row in filled for update in _updates(field, row, bound_to)]
        # A transaction over several rows could deadlock with other code that updates them.
        size = BATCH_ROWS if field.append_only else 1
        resealed = sum(
            _execute(field, updates[start : start + size]) for start in range(0, len(updates), size)
        )
        if filled:
            yield field.label, len(filled), resealed


def _updates(field: Any, row: Any, bound_to: list[str]) -> Iterator[list[Any]]:
    """Yield the parameters of a row's update; nothing if its value has the first key."""
    sealed = getattr(row, field.name)
    context = field.context_of(**{name: getattr(row, name) for name in bound_to})
    try:
        resealed = reseal(sealed, field.purpose, context)
    except BrokenSealError:
        if field.expendable:
            return
        raise
    if resealed is not sealed:
        keys = [getattr(row, key.attname) for key in row._meta.pk_fields]
        yield [resealed, *keys, sealed]


def _execute(field: Any, updates: list[list[Any]]) -> int:
    """Update the rows that did not change meanwhile. Returns how many.

    The ORM took 8 times as long.
    """
    columns = [*(key.column for key in field.model._meta.pk_fields), field.column]
    same = " AND ".join(f"{column} = %s" for column in columns)
    statement = f"UPDATE {field.model._meta.db_table} SET {field.column} = %s WHERE {same}"  # noqa: S608 - our own names
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(statement, updates)
        return int(cursor.rowcount)
