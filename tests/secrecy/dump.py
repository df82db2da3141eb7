"""The database as an intruder would read it."""

from collections.abc import Collection, Iterator

from django.db import connection


def dump(left_out: Collection[tuple[str, str]] = ()) -> Iterator[tuple[str, bytes]]:
    """Every table with its rows, except the columns (or "*") that are left out."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if connection.vendor == "sqlite":
            tables.append("sqlite_sequence")
        for table in sorted(tables):
            if (table, "*") in left_out:
                continue
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            shown = [
                number
                for number, column in enumerate(cursor.description)
                if (table, column[0]) not in left_out
            ]
            rows = [tuple(_plain(row[number]) for number in shown) for row in cursor.fetchall()]
            yield table, "\n".join(sorted(map(repr, rows))).encode()


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview) else value
