"""The board as an HTML table, for sighted readers and for screen readers.

Drawn from a Snapshot only. The cells are strings joined in Python: a board takes 0.14 ms of
processor time, and 2.1 ms as a template with a loop (`python -m tests.bench.html_in_python`), of a
page of 7 ms. docs/board-markup.md specifies the markup.
"""

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.play.board.orientation import axes
from games.play.board.pieces import Face, faces, unlinked
from games.play.record import move_numbers
from games.play.record.snapshot import Snapshot
from games.presentation.registry import played_as, presentation_of
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset.base import Ruleset


class SquareLink(NamedTuple):
    """What a click on a square does: follow `address`, or prepare `move` by a button.

    `words` describe the action where the name of the piece on the square does not.
    """

    address: str = ""
    move: str = ""
    words: str = ""


class Overlaid(NamedTuple):
    """What a reader knows of a piece beyond what the board shows: drawn on it, and read aloud.

    `address` is a link for a piece that has no other action; `html` is escaped; `piece` is drawn in
    place of the piece on the board, if given.
    """

    address: str
    words: str
    html: str
    piece: SeenPiece | None = None


Overlays = Mapping[str, Overlaid]
Links = Mapping[str, SquareLink]
Marks = Mapping[str, Iterable[str]]


def draw(
    view: Snapshot,
    links: Links | None = None,
    marks: Marks | None = None,
    drafted: Mapping[str, SeenPiece] | None = None,
    overlays: Overlays | None = None,
) -> SafeString:
    """The board of a match as its reader sees it.

    `links` and `marks` are by square name; marks are CSS classes of docs/board-markup.md. The
    pieces of `drafted`, also by square, are drawn on empty squares; `overlays` is what the reader
    knows of pieces of the opponent.
    """
    overlays = overlays or {}
    known = {square: one.piece for square, one in overlays.items() if one.piece}
    return table(
        view.rules,
        {**view.observation.pieces, **known, **(drafted or {})},
        caption=caption(view),
        turned=view.near_seat is Seat.NORTH,
        links=links,
        marks=marks,
        overlays=overlays,
    )


def table(
    rules: Ruleset,
    pieces: Mapping[str, SeenPiece],
    *,
    caption: str,
    turned: bool = False,
    links: Links | None = None,
    marks: Marks | None = None,
    fields: Mapping[str, SafeString] | None = None,
    overlays: Overlays | None = None,
) -> SafeString:
    """A board with `pieces` by square name; `turned` puts North's edge at the bottom.

    With `fields`, HTML by square name, it is a form to set up in: the fields fill their squares,
    and rows that have neither field nor piece are left out. `caption` is plain text.
    """
    board, states, links, fields = rules.board, marks or {}, links or {}, fields or {}
    overlays = overlays or {}
    points = presentation_of(rules.family).points
    fort = frozenset(rules.zone(points.fortress_of)) if points else frozenset()
    files, rows = axes(board, turned)
    gap, looks = "<td></td>" if points else _lake(), faces(rules, pieces.values())
    setup = ""
    if fields:
        setup = " setup"
        used = {int(square[1:]) for square in (*fields, *pieces)}
        rows = [row for row in rows if row in used]
    html = [
        f'<div class="board-frame"><table class="board {rules.family}{setup} files-{board.files}">'
        f"<caption>{escape(caption)}</caption><thead><tr><td></td>"
    ]
    html += [f'<th scope="col">{file}</th>' for file in files]
    html.append("</tr></thead><tbody>")
    for row in rows:
        html.append(f'<tr><th scope="row">{row}</th>')
        for file in files:
            square = f"{file}{row}"
            if square in board.blocked:
                html.append(gap % {"square": square})
                continue
            piece, state = pieces.get(square), ""
            if square in states or square in fort:
                classes = [*states.get(square, ()), *(["fort"] if square in fort else [])]
                state = f' class="{" ".join(classes)}"'
            face, link = looks[piece] if piece else None, links.get(square)
            if face and (over := overlays.get(square)):
                face, link = _overlaid(face, over), link or SquareLink(over.address)
            content = fields.get(square) or _content(
                square,
                face,
                link,
                chosen="chosen" in state or "draft-" in state,
            )
            html.append(f'<td data-square="{square}"{state}>{content}</td>')
        html.append("</tr>")
    html.append("</tbody></table></div>")
    return mark_safe("".join(html))  # noqa: S308 - joined from escaped parts


def army(
    rules: Ruleset, seat: Seat, placed: Mapping[str, Rank], standing: Mapping[str, SeenPiece]
) -> SafeString:
    """An army as its owner sees it, and the pieces that are already on the board."""
    pieces = {**standing, **{square: SeenPiece(seat, rank) for square, rank in placed.items()}}
    words = _("Your set-up")
    return table(rules, pieces, caption=words, turned=seat is Seat.NORTH)


def caption(view: Snapshot) -> str:
    """Which board the table shows, in words: after which move, and from which viewpoint."""
    values = {"when": move_numbers.after(view)}
    if (seat := view.viewpoint.seat) is not None:
        if view.is_own:
            return _("%(when)s · you play %(seat)s") % {
                **values,
                "seat": _(played_as(view.rules, seat)),
            }
        values |= {"player": view.sides[seat], "seat": _(view.rules.seat_names[seat])}
        return _("%(when)s · seen by %(player)s (%(seat)s)") % values
    if view.viewpoint == "open":
        return _("%(when)s · everything face up") % values
    return _("%(when)s · as spectators see it") % values


def _lake() -> str:
    """What fills a square that no piece can enter, by the name of the square."""
    words = escape(_("lake")).replace("%", "%%")
    return f'<td data-square="%(square)s" class="lake">{words}</td>'


def _content(
    square: str, face: Face | None, link: SquareLink | None, *, chosen: bool = False
) -> str:
    """The content of a square: nothing, a piece, or a link or button."""
    if face is None:
        return "" if link is None else _linked(link, "", escape(link.words), square)
    if link is None:
        return unlinked(face)
    label = f"{escape(link.words)} {face.label}" if link.words else face.label
    state = f' class="{face.classes}"' + ' aria-current="true"' * chosen
    return _linked(link, state, label, face.inside)


def _overlaid(face: Face, over: Overlaid) -> Face:
    if not (over.words or over.html):
        return face
    label = f"{face.label}, {escape(over.words)}" if over.words else face.label
    return face._replace(label=label, inside=face.inside + over.html)


def _linked(link: SquareLink, state: str, label: str, inside: str) -> str:
    """The link or button of a square; everything except the address is already escaped."""
    if link.address:
        return f'<a{state} href="{escape(link.address)}" aria-label="{label}">{inside}</a>'
    return f'<button{state} name="move" value="{link.move}" aria-label="{label}">{inside}</button>'
