"""Beside the board of a replay: through whose eyes it may be seen, and the moves around it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.play import narration
from games.play.boards import draw
from games.play.choices import last_action
from games.play.models.kind import Kind
from games.play.scene import Entry, Scene, TimedEntry
from games.play.tallies import losses, set_aside
from games.rules.core.viewpoint import Viewpoint

BEFORE, AFTER = 8, 6  # plies in the list around the one that is looked at


class Eyes(NamedTuple):
    """A way to look at the board."""

    key: str
    name: str
    current: bool


class Line(NamedTuple):
    """A ply in the list; `text` is a move, or words for what is none."""

    ply: int  # as people count
    text: str
    at: datetime | None  # of records that were brought along nothing is known
    here: bool


def page(look: Scene, viewpoints: Iterable[Viewpoint], entries: Iterable[Entry]) -> dict[str, Any]:
    """What the page of a replay shows; `viewpoints` may be taken, `entries` are in the list."""
    return {
        "look": look,
        "board": draw(look, marks=last_action(look)),
        "eyes": [
            Eyes(view.value, _name(look, view), view is look.viewpoint) for view in viewpoints
        ],
        "suffix": f"&eyes={look.viewpoint}#board",
        "happened": narration.sentences(look),
        "losses": losses(look),
        "aside": set_aside(look),
        "lines": [_line(look, entry) for entry in entries],
    }


def span(look: Scene) -> tuple[int, int]:
    """The first and the last ply of the list; no line stands before the first move."""
    return max((look.opening or 0) + 1, look.number - BEFORE), look.number + AFTER


def _line(look: Scene, entry: Entry) -> Line:
    is_move = entry.kind == Kind.MOVE
    return Line(
        ply=entry.number - (look.opening or 0),
        text=entry.text if is_move else " ".join(narration.sentences(look, entry)),
        at=entry.at if isinstance(entry, TimedEntry) else None,
        here=entry.number == look.number,
    )


def _name(look: Scene, viewpoint: Viewpoint) -> str:
    if (seat := viewpoint.seat) is not None:
        facts = {"player": look.sides[seat], "seat": _(look.rules.seat_names[seat])}
        return _("%(player)s (%(seat)s)") % facts
    return _("Everything") if viewpoint is Viewpoint.OPEN else _("Onlookers")
