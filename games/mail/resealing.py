"""Resealing: messages are sealed anew with the first key of SEAL_KEYS."""

from collections.abc import Iterator

from games.mail import sealing
from games.mail.models import IncomingMessage
from lib.batches import batches

BATCH_ROWS = 50  # a message may have a megabyte
# By column: what its seal is bound to, beside the key.
COLUMNS = {"envelope": "envelope", "sealed": "message", "receipt": "receipt"}


def reseal_all() -> Iterator[tuple[str, int, int]]:
    """Reseal batch by batch; yields the table, the rows looked at, and how many were resealed."""
    rows = IncomingMessage.objects.all()
    for batch in batches(rows, BATCH_ROWS):
        done = 0
        for row in batch:
            anew = {
                column: sealing.reseal(getattr(row, column), kind, row.key)
                for column, kind in COLUMNS.items()
                if getattr(row, column) and not sealing.is_current(getattr(row, column))
            }
            # Each for itself: a receipt that was written meanwhile has the first key, the rest not.
            for column, sealed in anew.items():
                rows.filter(pk=row.pk, **{column: getattr(row, column)}).update(**{column: sealed})
            done += bool(anew)
        yield "incoming messages", len(batch), done
