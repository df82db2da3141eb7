"""Resealing: re-encrypts with the first key of SEAL_KEYS what older keys have sealed.

It can be stopped and restarted at any time, and the service may run meanwhile: whatever the service
writes has the first key already, and a row that it changes is left alone.
"""

from collections.abc import Iterator
from string import Formatter
from typing import Any

from django.apps import apps
from django.db import connection, transaction

from lib.database.batches import batches
from lib.sealed_fields import SealedMixin
from lib.sealing import BrokenSealError, reseal

BATCH_ROWS = 50  # a mailed message may have a megabyte

# A label, the rows looked at, and how many of them were resealed.
Progress = Iterator[tuple[str, int, int]]


def sealed_fields() -> list[Any]:
    """The sealed fields of all models."""
    fields = (field for model in apps.get_models() for field in model._meta.local_fields)
    return [field for field in fields if isinstance(field, SealedMixin)]


def reseal_all() -> Progress:
    """Reseal all sealed fields, batch by batch; raises BrokenSealError."""
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
    """The parameters of the update of a row; none if its value has the first key."""
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
    """Update the rows that are unchanged; how many. With the ORM it took 8 times as long."""
    columns = [*(key.column for key in field.model._meta.pk_fields), field.column]
    same = " AND ".join(f"{column} = %s" for column in columns)
    statement = f"UPDATE {field.model._meta.db_table} SET {field.column} = %s WHERE {same}"  # noqa: S608 - names of ours
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(statement, updates)
        return int(cursor.rowcount)
