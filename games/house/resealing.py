"""Resealing: seeds are sealed anew with the first key of SEAL_KEYS."""

from collections.abc import Iterator

from games.house import sealing
from games.house.models import HouseSeat
from lib.batches import batches


def reseal_all() -> Iterator[tuple[str, int, int]]:
    """Reseal batch by batch; yields the table, the rows looked at, and how many were resealed."""
    for batch in batches(HouseSeat.objects.all()):
        old = [row for row in batch if not sealing.is_current(row.seed)]
        for row in old:
            anew = sealing.reseal(row.seed, row.pk)
            HouseSeat.objects.filter(pk=row.pk).update(seed=anew)
        yield "house seats", len(batch), len(old)
