"""A BooleanField whose column is compared with a value, so that SQLite finds it by an index.

Django writes `filter(live=True)` as `WHERE live`, for which SQLite uses no index on the column.
PostgreSQL treats both alike.
"""

from typing import Any

from django.db import models
from django.db.models.lookups import BuiltinLookup, Exact


class ComparedBooleanField(models.BooleanField):  # type: ignore[type-arg]
    """A BooleanField in an index; the same column, so migrations know it as a BooleanField."""

    def deconstruct(self) -> Any:
        name, _path, *given = super().deconstruct()
        return name, "django.db.models.BooleanField", *given


@ComparedBooleanField.register_lookup
class Compared(Exact):
    """`live = true` instead of `live`."""

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return BuiltinLookup.as_sql(self, compiler, connection)
