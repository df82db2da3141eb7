"""Cursors: after which row a page of a list begins, as text.

A cursor holds the instant and the id of a row, not an offset. So rows that come or go meanwhile
neither repeat nor hide others, even if the row itself has gone.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from games.play.converters import MAX_DIGITS

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
MAX_INSTANT_DIGITS = 17  # in microseconds, the year 5138
FORM = re.compile(rf"([0-9]{{1,{MAX_INSTANT_DIGITS}}})-([0-9]{{1,{MAX_DIGITS}}})", re.ASCII)


class Cursor(NamedTuple):
    """The row that a page follows."""

    at: datetime
    number: int


def write(at: datetime, number: int) -> str:
    """The text of a cursor."""
    return f"{(at - EPOCH) // MICROSECOND}-{number}"


def read(text: str) -> Cursor | None:
    """The cursor of a text that `write` made; None for any other text."""
    match = FORM.fullmatch(text)
    return Cursor(EPOCH + int(match[1]) * MICROSECOND, int(match[2])) if match else None
