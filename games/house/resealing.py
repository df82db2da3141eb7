"""Resealing: seeds are sealed anew with the first key of SEAL_KEYS."""

from collections.abc import Iterator

from games.house import sealing
from games.house.models import HouseSeat

BATCH_ROWS = 500


def reseal_all() -> Iterator[tuple[str, int, int]]:
    """Reseal batch by batch; yields the table, the rows looked at, and how many were resealed."""
    last = 0
    rows = HouseSeat.objects.order_by("pk")
    while batch := list(rows.filter(pk__gt=last)[:BATCH_ROWS]):
        old = [row for row in batch if not sealing.is_current(row.seed)]
        for row in old:
            anew = sealing.reseal(row.seed, row.pk)
            HouseSeat.objects.filter(pk=row.pk).update(seed=anew)
        last = batch[-1].pk
        yield "house seats", len(batch), len(old)
