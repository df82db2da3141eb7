"""Resealing: what an older key has sealed is sealed anew with the first key of SEAL_KEYS.

Each table is gone through by its primary key, batch by batch. So it may be stopped and begun again
at any time, and the service runs on beside it: what is written meanwhile has the first key already.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet

from games.play.models.draft import Draft
from games.play.models.notebook import PARTS, Notebook
from games.play.models.ply import Ply
from games.play.record import match_store
from games.play.record.sealed import drafts, notebooks
from games.play.record.sealed.sealing import is_current, reseal
from lib.batches import BATCH_ROWS, batches

RESEAL_PLY = "UPDATE play_ply SET sealed = %s WHERE match_id = %s AND number = %s"

Progress = Iterator[tuple[str, int, int]]


def reseal_all() -> Progress:
    """Reseal batch by batch; yields the table, the rows looked at, and how many were resealed."""
    yield from _reseal_plies()
    yield from reseal_rows("drafts", Draft.objects.all(), lambda row: drafts.seal_context(row.pk))
    for part in PARTS:
        filled = Notebook.objects.exclude(**{part: None})
        yield from reseal_rows("notebooks", filled, partial(_notebook_context, part), column=part)


def _notebook_context(part: str, row: Notebook) -> str:
    return notebooks.seal_context(part, row.pk)


def reseal_rows(
    table: str, rows: QuerySet[Any], context: Callable[[Any], str], *, column: str = "sealed"
) -> Progress:
    """The same for rows that have a sealed column and may change meanwhile."""
    for batch in batches(rows):
        done = 0
        for row in batch:
            sealed = getattr(row, column)
            if not is_current(sealed):
                # One that was stored anew meanwhile has the first key.
                same = rows.filter(pk=row.pk, **{column: sealed})
                done += same.update(**{column: reseal(sealed, context(row))})
        yield table, len(batch), done


def _reseal_plies() -> Progress:
    last = (0, -1)
    rows = Ply.objects.order_by("pk").values_list("match_id", "number", "sealed")
    # A ply never changes, so nobody else writes what is written here.
    while batch := list(rows.filter(pk__gt=last)[:BATCH_ROWS]):
        stale = [
            (reseal(sealed, match_store.seal_context(match, number)), match, number)
            for match, number, sealed in batch
            if not is_current(sealed)
        ]
        if stale:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.executemany(RESEAL_PLY, stale)
        last = batch[-1][:2]
        yield "plies", len(batch), len(stale)
