"""Pieces as HTML and as letters: the accessible name, the drawing, the classes.

docs/board-markup.md specifies the markup.
"""

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.presentation.presentation import Presentation
from games.presentation.registry import presentation_of
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset.base import Ruleset

SIDES = {Seat.SOUTH: "south", Seat.NORTH: "north"}


class Face(NamedTuple):
    """How a piece is shown: its accessible name, its classes and its inner HTML, escaped."""

    label: str
    classes: str
    inside: str


def sign(piece: SeenPiece) -> str:
    """The letters of a piece: `R`, `r`, `40`, `S?`, `n?`, with `'` if demoted."""
    letters = piece.rank or f"{'SN'[piece.seat]}?"
    turned = letters if piece.seat is Seat.SOUTH else letters.lower()
    return turned + "'" * ("demoted" in piece.marks)


def emblem(rules: Ruleset, seat: Seat, rank: Rank | None, *, fallen: bool = False) -> SafeString:
    """A single piece, for a tray or a battle; `rank` None is a hidden one."""
    marks = frozenset(["demoted"]) if rank and rank.endswith("'") else frozenset()
    seen = SeenPiece(seat, rank and rank.rstrip("'"), marks)
    face = faces(rules, [seen])[seen]
    if fallen:
        face = face._replace(classes=f"{face.classes} fallen")
    return mark_safe(unlinked(face))  # noqa: S308 - joined from escaped parts


def unlinked(face: Face) -> str:
    """A piece that is neither a link nor a button."""
    return f'<span class="{face.classes}" role="img" aria-label="{face.label}">{face.inside}</span>'


def faces(rules: Ruleset, pieces: Iterable[SeenPiece]) -> dict[SeenPiece, Face]:
    """The face of each piece, made once for all that look the same."""
    presentation = presentation_of(rules.family)
    language, names, sides = get_language() or "", rules.piece_names, rules.seat_names
    return {
        piece: _face(
            presentation,
            piece.seat,
            piece.rank,
            names.get(piece.rank or ""),
            piece.marks,
            sides[piece.seat],
            sign(piece),
            language,
        )
        for piece in set(pieces)
    }


@lru_cache(maxsize=4096)
def _face(
    presentation: Presentation,
    seat: Seat,
    rank: str | None,
    name: str | None,
    marks: frozenset[str],
    side: str,
    letters: str,
    language: str,
) -> Face:
    """The face of one piece; `language` is part of the cache key."""
    label = _(side)
    if rank is not None and name is not None:
        values = {"seat": label, "piece": _(name)}
        if presentation.tiles:
            values |= {"attack": rank[0], "defence": rank[1]}
        label = _(presentation.piece_label) % values
    if "demoted" in marks:
        label = _("%(piece)s, demoted") % {"piece": label}
    if "remembered" in marks:
        label = _("%(piece)s, hidden again") % {"piece": label}
    if "guessed" in marks:
        label = _("%(piece)s, guessed") % {"piece": label}
    if rank is None:
        label = _("%(piece)s, hidden") % {"piece": label}
    elif "shown" in marks:
        label = _("%(piece)s, face up") % {"piece": label}
    if "drafted" in marks:
        label = _("%(piece)s, not sent yet") % {"piece": label}
    classes = ["piece", SIDES[seat], *sorted(marks)]
    if rank is None:
        return Face(escape(label), " ".join([*classes, "hidden"]), f"<b>{letters}</b>")
    if presentation.tiles:
        figures = f"<b>{rank[0]}</b><b>{rank[1]}</b>"
        return Face(escape(label), " ".join([*classes, "bone"]), figures)
    symbol = presentation.symbols.get(rank)
    if symbol is None:
        return Face(escape(label), " ".join([*classes, "lettered"]), f"<b>{letters}</b>")
    drawing = f'<svg><use href="{static("svg/army.svg")}#{symbol}"/></svg>'
    return Face(escape(label), " ".join(classes), f"{drawing}<b>{letters}</b>")
