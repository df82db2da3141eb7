"""Replay page: the board at one ply, the choice of viewpoint and the moves around that ply."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from games.play.board.boards import draw
from games.play.board.choices import last_action
from games.play.board.sidebar import losses, set_aside
from games.play.models.kind import PlyKind
from games.play.record.move_numbers import numbered
from games.play.record.snapshot import Entry, Snapshot, TimedEntry
from games.play.words import narration
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.viewpoint import Viewpoint
from lib.sentences import in_a_row

PLIES_BEFORE, PLIES_AFTER = 8, 6  # listed around the ply shown


class ViewpointChoice(NamedTuple):
    """A link to a viewpoint that the reader may choose."""

    key: str
    name: str
    current: bool


class Line(NamedTuple):
    """A ply in the list; `text` is the move, or a sentence for other plies."""

    ply: int  # from the first move, as in URLs
    move: int | None  # move number; None if it is no move
    text: str
    at: datetime | None  # None in imported records
    is_shown: bool


def page(
    view: Snapshot, viewpoints: Iterable[Viewpoint], entries: Iterable[Entry]
) -> dict[str, Any]:
    """The template context of a replay; `viewpoints` may be chosen, `entries` are listed."""
    return {
        "view": view,
        "board": draw(view, marks=last_action(view)),
        "eyes": [
            ViewpointChoice(choice.value, _name(view, choice), choice is view.viewpoint)
            for choice in viewpoints
        ],
        "suffix": _suffix(view),
        "eyes_query": f"eyes={view.viewpoint}",
        "before": PLIES_BEFORE,
        "after": PLIES_AFTER,
        "happened": narration.sentences(view),
        "losses": losses(view),
        "aside": set_aside(view),
        "lines": _lines(view, list(entries)),
    }


def rendered_lines(view: Snapshot, entries: Iterable[Entry]) -> Iterator[dict[str, object]]:
    """Lines of the move list for the script: ply, move number and HTML."""
    suffix = _suffix(view)
    for line in _lines(view, list(entries)):
        # The script marks the current line.
        context = {"line": line._replace(is_shown=False), "suffix": suffix}
        yield {
            "ply": line.ply,
            "move": line.move,
            "html": render_to_string("archive/_line.html", context).strip(),
        }


def span(view: Snapshot) -> tuple[int, int]:
    """The first and last ply to list around the ply shown; never before the first move."""
    return max((view.opening or 0) + 1, view.number - PLIES_BEFORE), view.number + PLIES_AFTER


def _lines(view: Snapshot, entries: list[Entry]) -> list[Line]:
    numbers = {entry.number: move_number(turn) for entry, turn in numbered(view, entries)}
    return [_line(view, entry, numbers.get(entry.number)) for entry in entries]


def _suffix(view: Snapshot) -> str:
    """The part of a replay URL after the ply: the viewpoint."""
    return f"&eyes={view.viewpoint}#board"


def _line(view: Snapshot, entry: Entry, move: int | None) -> Line:
    is_move = entry.kind == PlyKind.MOVE
    return Line(
        ply=entry.number - (view.opening or 0),
        move=move,
        text=entry.text if is_move else in_a_row(narration.sentences(view, entry)),
        at=entry.at if isinstance(entry, TimedEntry) else None,
        is_shown=entry.number == view.number,
    )


def _name(view: Snapshot, viewpoint: Viewpoint) -> str:
    if (seat := viewpoint.seat) is not None:
        values = {"player": view.sides[seat], "seat": _(view.rules.seat_names[seat])}
        return _("%(player)s (%(seat)s)") % values
    return _("Everything") if viewpoint is Viewpoint.OPEN else _("Spectators")
