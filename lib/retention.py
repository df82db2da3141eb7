"""Retention: what is kept for how long, and its deletion in batches once that is over.

Each batch is a transaction of its own, and an index finds it: what it costs depends on what is due,
and not on what else is kept. Whoever is killed between two batches leaves the rest to the next run.
Each room declares its periods in `retention_periods.py`; config/retention.py puts them together.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Model, Q

BATCH_ROWS = 500

# Deletes what is older than an instant, batch by batch; yields how many rows went with each.
Batches = Callable[[datetime], Iterator[int]]


@dataclass(frozen=True)
class Kept:
    """Something that is kept for a term: a line of docs/running/retention.md."""

    what: str
    term: timedelta
    since: str  # what the term is counted from
    found_by: str  # the index
    batches: Batches
    model: type[Model] | None = None  # whose rows are deleted, with all that refers to them

    def delete_due(self, at: datetime) -> Iterator[int]:
        """Delete what is due at that instant, batch by batch; yields how much went with each."""
        return self.batches(at - self.term)


def by_date(model: type[Model], column: str, only: Callable[[], Q] = Q) -> Batches:
    """Rows whose column is past, where an index has them in that order; `only` some of them."""

    def batches(horizon: datetime) -> Iterator[int]:
        rows = model._default_manager.filter(only(), **{f"{column}__lt": horizon})
        while keys := list(rows.order_by(column).values_list("pk", flat=True)[:BATCH_ROWS]):
            # Asked again: one may have been used meanwhile.
            rows.filter(pk__in=keys).delete()
            yield len(keys)

    return batches


def oldest_first(model: type[Model], made: str, due: Callable[[datetime], Q]) -> Batches:
    """Rows that are `due`, from the lowest primary key up to one that was `made` lately.

    The primary key is the order in which rows are made, nearly, so that no index on a date has to
    be kept up. What is not due among the old ones is passed over.
    """

    def batches(horizon: datetime) -> Iterator[int]:
        rows = model._default_manager.order_by("pk")
        window = list(rows.values_list("pk", made)[:BATCH_ROWS])
        while window and window[0][1] < horizon:
            first, last = window[0][0], window[-1][0]
            yield rows.filter(due(horizon), pk__gte=first, pk__lte=last).delete()[0]
            window = list(rows.filter(pk__gt=last).values_list("pk", made)[:BATCH_ROWS])

    return batches
