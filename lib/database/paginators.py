"""Pages of a list that may be very long: at most `most` rows are counted and shown."""

from typing import Any

from django.core.paginator import Paginator
from django.utils.functional import cached_property


class LimitedPaginator(Paginator):  # type: ignore[type-arg]
    """A Paginator of the first rows of a query set: PostgreSQL would count a table row by row."""

    most = 10_000

    @cached_property
    def count(self) -> int:
        """The number of rows, or `most` if there are more."""
        rows: Any = self.object_list
        return int(rows.order_by()[: self.most].count())
