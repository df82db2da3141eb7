"""Files of an export, each made piece by piece while it is sent.

So memory does not grow with what a person has, except for the primary keys of their rows.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import Model, QuerySet

BATCH_ROWS = 100  # read at a time


class File(NamedTuple):
    """A file of an export: its name in the ZIP file, and its content in pieces."""

    name: str
    pieces: Iterable[bytes]


def instant(at: datetime | None) -> str | None:
    """An instant in ISO 8601, in UTC with Z; None for None."""
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def plain(value: Any) -> Any:
    """A value of a column for JSON and CSV: instants and days in ISO 8601, durations in seconds."""
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, date):
        return value.isoformat()
    return value.total_seconds() if isinstance(value, timedelta) else value


def values(row: Model, columns: Iterable[str]) -> dict[str, Any]:
    """Columns of a row by name; that of a foreign key has the primary key it refers to."""
    fields = ((name, row._meta.get_field(name)) for name in columns)
    return {name: plain(getattr(row, field.attname)) for name, field in fields}  # type: ignore[union-attr]


def in_batches(rows: QuerySet[Any]) -> Iterator[Any]:
    """The rows of an ordered query set, read in batches by primary keys that are read first."""
    keys = iter(list(rows.values_list("pk", flat=True)))
    while batch := list(islice(keys, BATCH_ROWS)):
        yield from rows.filter(pk__in=batch)


def json_file(name: str, make: Callable[[], Any]) -> File:
    """A JSON file of one value, which is made when the file is written."""

    def pieces() -> Iterator[bytes]:
        yield _json(make(), indent=2) + b"\n"

    return File(name, pieces())


def json_rows(name: str, rows: Iterable[Any]) -> File:
    """A JSON file of a list, a line for each of its values."""

    def pieces() -> Iterator[bytes]:
        before = b"[\n"
        for row in rows:
            yield before + _json(row)
            before = b",\n"
        yield b"[]\n" if before == b"[\n" else b"\n]\n"

    return File(name, pieces())


def csv_file(name: str, columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> File:
    """A CSV file (RFC 4180, UTF-8, lines end with LF); None is an empty field."""

    def pieces() -> Iterator[bytes]:
        yield _csv_line(columns)
        for row in rows:
            yield _csv_line(plain(value) for value in row)

    return File(name, pieces())


def text_file(name: str, text: str) -> File:
    """A text file in UTF-8."""
    return File(name, (text.encode(errors="backslashreplace"),))


def _json(value: Any, indent: int | None = None) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=indent).encode(errors="backslashreplace")


def _csv_line(fields: Iterable[Any]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(fields)
    return line.getvalue().encode(errors="backslashreplace")
