"""Cursors of the API: where the next page of a list begins, each with the name of its list."""

from datetime import datetime

from django.utils.translation import gettext as _

from games.api.gate.problems import invalid
from games.play.lists import cursors
from games.play.lists.cursors import Cursor

ROWS_PER_PAGE = 50


def write(name: str, at: datetime, number: int) -> str:
    """The text of a cursor of the list of that name."""
    return f"{name}-{cursors.write(at, number)}"


def read(name: str, text: str | None) -> Cursor | None:
    """The cursor of a text that `write` made for this list; None for none, raises Problem."""
    if text is None:
        return None
    of, _dash, place = text.partition("-")
    cursor = cursors.read(place) if of == name else None
    if cursor is None:
        sentence = _("This is no cursor of this list. Send the “next” of the page before.")
        raise invalid("query.cursor", sentence)
    return cursor
