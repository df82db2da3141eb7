"""Prepared inserts: the ORM's INSERT of a model, built once, then run with the values of each row.

For the rows of every move, the ORM needs more time to build the statement than the database needs
to run it. CPU time per row with the ORM and prepared, on SQLite, best of nine rounds on two cores:
ply 190 and 71 microseconds, outbox 248 and 105, stored response 171 and 70. To measure again:
`python -m tests.bench.prepared_queries`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.expressions import Combinable
from django.db.models.sql import InsertQuery
from django.db.transaction import mark_for_rollback_on_error


class BuiltInsert(NamedTuple):
    """The SQL of an INSERT, and the fields whose values it takes."""

    sql: str
    returning: str  # the clause that returns the id, or ""
    fields: tuple[Any, ...]


class PreparedInsert:
    """Inserts new rows of one model as `bulk_create` does: each value as its field stores it.

    Values are no expressions, but a column named in `defaults` takes the value of its expression in
    rows that have None there. With `ignore_conflicts`, rows that violate a unique constraint are
    left out; otherwise they raise IntegrityError.
    """

    def __init__(
        self, model: type[models.Model], *, ignore_conflicts: bool = False, **defaults: Combinable
    ) -> None:
        self._model, self._ignore_conflicts, self._defaults = model, ignore_conflicts, defaults
        self._built: BuiltInsert | None = None

    def insert_row(self, row: models.Model) -> Any:
        """Insert a row; returns its id, or None if it has no id or conflicts are ignored."""
        built = self._built = self._built or self._build()
        with mark_for_rollback_on_error(DEFAULT_DB_ALIAS), connection.cursor() as cursor:
            cursor.execute(built.sql + built.returning, _values(row, built))
            return cursor.fetchone()[0] if built.returning else None

    def insert_rows(self, rows: Sequence[models.Model]) -> None:
        """Insert these rows, by one statement."""
        if len(rows) == 1:  # without what it costs PostgreSQL to expect more
            self.insert_row(rows[0])
            return
        built = self._built = self._built or self._build()
        with mark_for_rollback_on_error(DEFAULT_DB_ALIAS), connection.cursor() as cursor:
            cursor.executemany(built.sql, [_values(row, built) for row in rows])

    def _build(self) -> BuiltInsert:
        meta: Any = self._model._meta
        quoted = connection.ops.quote_name
        fields = tuple(field for field in meta.concrete_fields if field is not meta.auto_field)
        columns = ", ".join(quoted(field.column) for field in fields)
        values = ", ".join(self._placeholder(field.name) for field in fields)
        table = quoted(meta.db_table)
        sql = f"INSERT INTO {table} ({columns}) VALUES ({values})"  # noqa: S608 -- names of a model
        if self._ignore_conflicts:
            return BuiltInsert(f"{sql} ON CONFLICT DO NOTHING", "", fields)
        key = meta.auto_field
        return BuiltInsert(sql, f" RETURNING {quoted(key.column)}" if key else "", fields)

    def _placeholder(self, name: str) -> str:
        if name not in self._defaults:
            return "%s"
        query = InsertQuery(self._model)
        expression: Any = self._defaults[name]
        sql, _none = query.get_compiler(DEFAULT_DB_ALIAS).compile(
            expression.resolve_expression(query, allow_joins=False, for_save=True)
        )
        return f"COALESCE(%s, {sql})"


def _values(row: models.Model, built: BuiltInsert) -> list[Any]:
    return [
        field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in built.fields
    ]
