"""Boards for the eye and the ear: one HTML table, and the same as plain text for letters.

Drawn from a Scene alone. The cells are ready-made strings joined in Python: an include for
each of a hundred squares would cost more than all the rest of a page. docs/board-markup.md is the
contract of the markup.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.play.scene import Scene
from games.rules.core.army import Rank, Seat
from games.rules.core.board import Board
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset import Ruleset

SIDES = {Seat.SOUTH: "south", Seat.NORTH: "north"}
# The drawings of static/svg/army.svg; a piece without one is drawn as its letter.
SYMBOLS = {
    "lattaque": {rank: rank for rank in "MGCJKLSERYBF"},
    # What Infantry is demoted to is drawn as Infantry; the letter and the mark tell.
    "tactique": {rank: f"t{rank}" for rank in "CVPIA"} | {"W": "tI", "F": "F"},
    "assaut": {"S": "aS", "O": "aO"},
}


class Door(NamedTuple):
    """What a reader may do on a square: go on to an address, or prepare a move by a button.

    `words` say what that does, where the name of what stands there does not.
    """

    address: str = ""
    move: str = ""
    words: str = ""


class Face(NamedTuple):
    """What a piece looks like: its name for the ear, its classes and its inner HTML, escaped."""

    label: str
    classes: str
    inside: str


Doors = Mapping[str, Door]
Marks = Mapping[str, Iterable[str]]


def draw(
    look: Scene,
    doors: Doors | None = None,
    marks: Marks | None = None,
    ghosts: Mapping[str, SeenPiece] | None = None,
) -> SafeString:
    """The table. `marks` gives the states of squares, names of classes by square; `ghosts` are
    drawn where nothing stands yet."""
    return table(
        look.rules,
        {**look.observation.pieces, **(ghosts or {})},
        caption=caption(look),
        turned=look.viewpoint.seat is Seat.NORTH,
        doors=doors,
        marks=marks,
    )


def table(
    rules: Ruleset,
    pieces: Mapping[str, SeenPiece],
    *,
    caption: str,
    turned: bool = False,
    doors: Doors | None = None,
    marks: Marks | None = None,
    fields: Mapping[str, SafeString] | None = None,
) -> SafeString:
    """The HTML of pieces by square; `turned` puts North's edge at the foot.

    With `fields` it is a form to set up in: they fill their squares, and rows that have neither
    field nor piece are left out.
    """
    board, states, doors, fields = rules.board, marks or {}, doors or {}, fields or {}
    fort = frozenset(rules.zone(Seat.NORTH)) if rules.family == "assaut" else frozenset()  # A3
    files, rows = axes(board, turned)
    gap, faces = _gap(rules), _faces(rules, pieces.values())
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
            content = fields.get(square) or _content(
                square, faces[piece] if piece else None, doors.get(square)
            )
            html.append(f'<td data-square="{square}"{state}>{content}</td>')
        html.append("</tr>")
    html.append("</tbody></table></div>")
    return mark_safe("".join(html))  # noqa: S308 - joined from escaped parts


def army(
    rules: Ruleset, seat: Seat, placed: Mapping[str, Rank], standing: Mapping[str, SeenPiece]
) -> SafeString:
    """An army as its owner sees it, with what stands on the board already."""
    pieces = {**standing, **{square: SeenPiece(seat, rank) for square, rank in placed.items()}}
    words = _("Your army as it will stand")
    return table(rules, pieces, caption=words, turned=seat is Seat.NORTH)


def text(look: Scene) -> str:
    """The same board in letters: capitals South, small North, `?` hidden, two figures a domino."""
    rules, width = look.rules, 3 if look.rules.mark == "demoted" else 2
    cells, places = _empty_text(rules.board, rules.family, look.viewpoint.seat is Seat.NORTH, width)
    filled = list(cells)
    for square, piece in look.observation.pieces.items():
        filled[places[square]] = f"{sign(piece):<{width}} "
    return "".join(filled)


@lru_cache(maxsize=64)
def _empty_text(
    board: Board, family: str, turned: bool, width: int
) -> tuple[list[str], dict[str, int]]:
    """A board on which nothing stands, piece by piece of its text, and where each square is."""
    files, rows = axes(board, turned)
    lake = "~~" if family != "assaut" else "  "
    head = "    " + " ".join(f"{file:<{width}}" for file in files).rstrip()
    parts, places = [head], {}
    for row in rows:
        parts.append(f"\n{row:>2}  ")
        for file in files:
            square = f"{file}{row}"
            places[square] = len(parts)
            parts.append(f"{'.' if board.playable(square) else lake:<{width}} ")
        parts.append(f"{row}")
    return [*parts, f"\n{head}"], places


def sign(piece: SeenPiece) -> str:
    """The letters that stand for a piece: `R`, `r`, `40`, `S?`, `n?`, with `'` when demoted."""
    letters = piece.rank or f"{'SN'[piece.seat]}?"
    turned = letters if piece.seat is Seat.SOUTH else letters.lower()
    return turned + "'" * ("demoted" in piece.marks)


def caption(look: Scene) -> str:
    """What the table shows, in words."""
    facts = {"game": _(look.rules.title), "ply": look.shown_ply}
    if (seat := look.viewpoint.seat) is not None:
        facts |= {"player": look.sides[seat], "seat": _(look.rules.seat_names[seat])}
        return _("%(game)s, ply %(ply)s, seen by %(player)s (%(seat)s)") % facts
    if look.viewpoint == "open":
        return _("%(game)s, ply %(ply)s, everything face up") % facts
    return _("%(game)s, ply %(ply)s, as onlookers see it") % facts


def emblem(rules: Ruleset, seat: Seat, rank: Rank | None, *, fallen: bool = False) -> SafeString:
    """One piece by itself, for a tray or a battle; `rank` None is a hidden one."""
    marks = frozenset(["demoted"]) if rank and rank.endswith("'") else frozenset()
    seen = SeenPiece(seat, rank and rank.rstrip("'"), marks)
    face = _faces(rules, [seen])[seen]
    if fallen:
        face = face._replace(classes=f"{face.classes} fallen")
    return mark_safe(_still(face))  # noqa: S308 - joined from escaped parts


def axes(board: Board, turned: bool) -> tuple[list[str], list[int]]:
    """Files from left to right and rows from top to foot, as the reader sits."""
    files = [square[0] for square in board.squares[: board.files]]
    rows = list(range(board.ranks, 0, -1))
    return (files[::-1], rows[::-1]) if turned else (files, rows)


def _gap(rules: Ruleset) -> str:
    """What fills a square where nothing may stand, by its name."""
    if rules.family == "assaut":
        return "<td></td>"
    words = escape(_("lake")).replace("%", "%%")
    return f'<td data-square="%(square)s" class="lake">{words}</td>'


def _content(square: str, face: Face | None, door: Door | None) -> str:
    """What stands in a square: nothing, a piece, or a door to choose or to reach it."""
    if face is None:
        return "" if door is None else _open(door, "", escape(door.words), square)
    if door is None:
        return _still(face)
    label = f"{escape(door.words)} {face.label}" if door.words else face.label
    return _open(door, f' class="{face.classes}"', label, face.inside)


def _still(face: Face) -> str:
    """A piece that is no door."""
    return f'<span class="{face.classes}" role="img" aria-label="{face.label}">{face.inside}</span>'


def _open(door: Door, state: str, label: str, inside: str) -> str:
    """The link or the button of a door; everything but the address is escaped already."""
    if door.address:
        return f'<a{state} href="{escape(door.address)}" aria-label="{label}">{inside}</a>'
    return f'<button{state} name="move" value="{door.move}" aria-label="{label}">{inside}</button>'


def _faces(rules: Ruleset, pieces: Iterable[SeenPiece]) -> dict[SeenPiece, Face]:
    """What each piece looks like, asked once for all that look the same."""
    language, names, sides = get_language() or "", rules.piece_names, rules.seat_names
    return {
        piece: _face(
            rules.family,
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
    family: str,
    seat: Seat,
    rank: str | None,
    name: str | None,
    marks: frozenset[str],
    side: str,
    letters: str,
    language: str,
) -> Face:
    """One piece's look; `language` keeps the cached words of each apart."""
    label = _(side)
    if family == "domino" and rank is not None:
        label = _("%(seat)s tile, attack %(attack)s, defence %(defence)s") % {
            "seat": label,
            "attack": rank[0],
            "defence": rank[1],
        }
    elif family == "assaut" and name is not None:
        label = _(name)  # "Soldiers Soldier" would say it twice.
    elif name is not None:
        label = _("%(seat)s %(piece)s") % {"seat": label, "piece": _(name)}
    if "demoted" in marks:
        label = _("%(piece)s, demoted") % {"piece": label}
    if rank is None:
        label = _("%(piece)s, hidden") % {"piece": label}
    elif "shown" in marks:
        label = _("%(piece)s, face up") % {"piece": label}
    if "drafted" in marks:
        label = _("%(piece)s, not sent yet") % {"piece": label}
    classes = ["piece", SIDES[seat], *sorted(marks)]
    if rank is None:
        return Face(escape(label), " ".join([*classes, "hidden"]), f"<b>{letters}</b>")
    if family == "domino":
        figures = f"<b>{rank[0]}</b><b>{rank[1]}</b>"
        return Face(escape(label), " ".join([*classes, "bone"]), figures)
    symbol = SYMBOLS.get(family, {}).get(rank)
    if symbol is None:
        return Face(escape(label), " ".join([*classes, "lettered"]), f"<b>{letters}</b>")
    drawing = f'<svg><use href="{_sprite()}#{symbol}"/></svg>'
    return Face(escape(label), " ".join(classes), f"{drawing}<b>{letters}</b>")


@lru_cache(maxsize=1)
def _sprite() -> str:
    return static("svg/army.svg")
