"""Reseals incoming messages with the first key of SEAL_KEYS."""

from collections.abc import Iterator

from games.mail import sealing
from games.mail.models import IncomingMessage
from lib.batches import batches

BATCH_ROWS = 50  # a message may be a megabyte
# Column: kind that its seal is bound to, together with the row key.
COLUMNS = {"envelope": "envelope", "sealed": "message", "receipt": "receipt"}


def reseal_all() -> Iterator[tuple[str, int, int]]:
    """Reseal in batches; yields the table, the rows checked, and the rows resealed."""
    rows = IncomingMessage.objects.all()
    for batch in batches(rows, BATCH_ROWS):
        resealed = 0
        for row in batch:
            new_seals = {
                column: sealing.reseal(getattr(row, column), kind, row.key)
                for column, kind in COLUMNS.items()
                if getattr(row, column) and not sealing.is_current(getattr(row, column))
            }
            # Column by column: a receipt that was written meanwhile is kept.
            for column, sealed in new_seals.items():
                rows.filter(pk=row.pk, **{column: getattr(row, column)}).update(**{column: sealed})
            resealed += bool(new_seals)
        yield "incoming messages", len(batch), resealed
