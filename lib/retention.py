"""Retention: how long rows are kept, and their deletion in batches after that.

Each batch is a separate transaction and uses an index, so its cost depends on the rows that are due
and not on the size of the table. After an interruption, the next run continues. Each app declares
its periods in `retention_periods.py`; config/personal_data/retention.py collects them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Model, Q

BATCH_ROWS = 500

# Deletes rows older than an instant, in batches; yields the number of rows deleted by each.
Batches = Callable[[datetime], Iterator[int]]


@dataclass(frozen=True)
class Kept:
    """A retention period: a line of docs/running/retention.md."""

    what: str
    term: timedelta
    since: str  # the start of the term, in words
    found_by: str  # the index
    batches: Batches
    model: type[Model] | None = None  # its rows are deleted, with all that refer to them

    def delete_due(self, at: datetime) -> Iterator[int]:
        """Delete rows due at an instant, in batches; yields the number of rows deleted by each."""
        return self.batches(at - self.term)


def by_date(model: type[Model], column: str, only: Callable[[], Q] = Q) -> Batches:
    """Deletes rows whose `column` is older than the term and which match `only`.

    Needs an index on both.
    """

    def batches(horizon: datetime) -> Iterator[int]:
        rows = model._default_manager.filter(only(), **{f"{column}__lt": horizon})
        while keys := list(rows.order_by(column).values_list("pk", flat=True)[:BATCH_ROWS]):
            # Filtered again, since a row may have been used meanwhile.
            rows.filter(pk__in=keys).delete()
            yield len(keys)

    return batches


def oldest_first(model: type[Model], made: str, due: Callable[[datetime], Q]) -> Batches:
    """Deletes rows that are `due`, by ascending primary key, until one was `made` within the term.

    Needs no index on a date, since dates almost always ascend with keys. Old rows that are not
    due are skipped.
    """

    def batches(horizon: datetime) -> Iterator[int]:
        rows = model._default_manager.order_by("pk")
        window = list(rows.values_list("pk", made)[:BATCH_ROWS])
        while window and window[0][1] < horizon:
            first, last = window[0][0], window[-1][0]
            yield rows.filter(due(horizon), pk__gte=first, pk__lte=last).delete()[0]
            window = list(rows.filter(pk__gt=last).values_list("pk", made)[:BATCH_ROWS])

    return batches
