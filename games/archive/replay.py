"""Beside the board of a replay: through whose eyes it may be seen, and the moves around it."""

from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.play import narration, sight
from games.play.models.kind import Kind
from games.play.sight import Entry, Look
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
    at: datetime
    here: bool


def eyes(look: Look) -> list[Eyes]:
    """All viewpoints that this reader may take, their usual one first."""
    found = sight.viewpoints(look.match, look.seat)
    return [Eyes(view.value, _name(look, view), view is look.viewpoint) for view in found]


def lines(look: Look) -> list[Line]:
    """The plies around the one looked at, in their order; none before the first move."""
    opening = look.match.opening or 0
    first = max(opening + 1, look.number - BEFORE)
    return [
        Line(entry.number - opening, _text(look, entry), entry.at, entry.number == look.number)
        for entry in sight.entries(look.match, first, look.number + AFTER)
    ]


def _name(look: Look, viewpoint: Viewpoint) -> str:
    if viewpoint.seat is not None:
        facts = {
            "player": look.players[viewpoint.seat].user,
            "seat": _(look.rules.seat_names[viewpoint.seat]),
        }
        return _("%(player)s (%(seat)s)") % facts
    return _("Everything") if viewpoint is Viewpoint.OPEN else _("Onlookers")


def _text(look: Look, entry: Entry) -> str:
    return entry.text if entry.kind == Kind.MOVE else " ".join(narration.sentences(look, entry))
