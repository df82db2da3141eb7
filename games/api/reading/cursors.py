"""Cursors: where the next page of a list begins.

A cursor holds the instant and the id of the last row of a page, not an offset. So rows that come or
go meanwhile neither repeat nor hide others, even if the row itself has gone.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.api.gate.problems import invalid
from games.play.converters import MAX_DIGITS

ROWS_PER_PAGE = 50
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
MAX_INSTANT_DIGITS = 17  # in microseconds, the year 5138
FORM = re.compile(
    rf"([a-z]+)-([0-9]{{1,{MAX_INSTANT_DIGITS}}})-([0-9]{{1,{MAX_DIGITS}}})", re.ASCII
)


class Cursor(NamedTuple):
    """The last row of a page."""

    at: datetime
    number: int


def write(name: str, at: datetime, number: int) -> str:
    """The text of a cursor of the list of that name."""
    return f"{name}-{(at - EPOCH) // MICROSECOND}-{number}"


def read(name: str, text: str | None) -> Cursor | None:
    """The cursor of a text that `write` made for this list; None for none, raises Problem."""
    if text is None:
        return None
    found = FORM.fullmatch(text)
    if found is None or found[1] != name:
        sentence = _("This is no cursor of this list. Send the “next” of the page before.")
        raise invalid("query.cursor", sentence)
    return Cursor(EPOCH + int(found[2]) * MICROSECOND, int(found[3]))
