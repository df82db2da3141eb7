"""Reading talk: the lines of a match as one of its two players may see them.

Lines that the reader's block hid when they were written are never among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from games.play.models.match import Player
from games.talk.lines import sealing
from games.talk.models import Line

COLUMNS = ("number", "writer", "at", "text")


class ShownLine(NamedTuple):
    """A line as a reader sees it."""

    number: int
    at: datetime
    is_own: bool
    text: str  # "" if it was removed
    is_new: bool = False

    def __repr__(self) -> str:
        return f"<ShownLine {self.number}>"


def visible(reader: Player) -> QuerySet[Line]:
    """The lines of a match that its player `reader` may see, in no order."""
    lines = Line.objects.filter(match=reader.match_id)
    return lines.filter(Q(hidden=False) | Q(writer=reader.user_id))


def newest(reader: Player, count: int) -> list[ShownLine]:
    """The newest lines, the oldest of them first; one query, none without talk."""
    if not (reader.talk_lines or reader.talk_muted):
        return []
    return shown(reader, visible(reader).order_by("-number")[:count])


def unread(reader: Player, count: int) -> list[ShownLine]:
    """The first of the lines by the opponent that the reader has not read; at most one query."""
    if not reader.talk_unread:
        return []
    theirs = visible(reader).exclude(writer=reader.user_id).order_by("-number")
    first = max(0, reader.talk_unread - count)
    return shown(reader, theirs[first : reader.talk_unread])


def shown(reader: Player, lines: Any) -> list[ShownLine]:
    """The lines of a query set, sorted from the newest, as the reader sees them, in reverse."""
    shown_lines: list[ShownLine] = []
    left = reader.talk_unread
    for number, writer, at, sealed in lines.values_list(*COLUMNS):
        is_own = writer == reader.user_id
        text = sealing.unseal(reader.match_id, number, sealed) if sealed else ""
        shown_lines.append(ShownLine(number, at, is_own, text, is_new=not is_own and left > 0))
        left -= not is_own
    return shown_lines[::-1]


def own_lines(user_id: int) -> Sequence[tuple[int, int, datetime, str]]:
    """All lines that a user wrote: match, number, instant and text, "" if it was removed."""
    lines = Line.objects.filter(writer=user_id).order_by("match", "number")
    return [
        (match, number, at, sealing.unseal(match, number, sealed) if sealed else "")
        for match, number, at, sealed in lines.values_list("match", "number", "at", "text")
    ]
