"""Boards for the eye and the ear: one HTML table, and the same as plain text for letters.

Drawn from a Look alone. The cells are ready-made strings joined in Python: a template's include for
each of a hundred squares would cost more than all the rest of a page. docs/board-markup.md is the
contract of the markup.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from django.templatetags.static import static
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.play.sight import Look
from games.rules.core.army import Rank, Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset import Ruleset

SIDES = {Seat.SOUTH: "south", Seat.NORTH: "north"}
SYMBOLS = {
    "tactique": {rank: f"t{rank}" for rank in "CVPIA"},
    "assaut": {"S": "aS", "O": "aO"},
}


@dataclass(frozen=True)
class Ways:
    """What a reader may do on the board: pieces to choose and squares to go to, each with its door.

    `choices` maps a square to the address that chooses its piece, `targets` a square to the text of
    the move that a button there sends.
    """

    choices: Mapping[str, str] = field(default_factory=dict)
    targets: Mapping[str, str] = field(default_factory=dict)


STILL = Ways()


def draw(
    look: Look, ways: Ways = STILL, marks: Mapping[str, Iterable[str]] | None = None
) -> SafeString:
    """The table. `marks` gives the states of squares, names of classes by square."""
    return table(
        look.rules,
        look.observation.pieces,
        caption=caption(look),
        turned=look.viewpoint.seat is Seat.NORTH,
        ways=ways,
        marks=marks,
    )


def table(
    rules: Ruleset,
    pieces: Mapping[str, SeenPiece],
    *,
    caption: str,
    turned: bool = False,
    ways: Ways = STILL,
    marks: Mapping[str, Iterable[str]] | None = None,
) -> SafeString:
    """The HTML of pieces by square; `turned` puts North's edge at the foot."""
    board, states = rules.board, marks or {}
    files, rows = _axes(rules, turned)
    html = [
        f'<div class="board-frame"><table class="board {rules.family} files-{board.files}">'
        f"<caption>{escape(caption)}</caption><thead><tr><td></td>"
    ]
    html += [f'<th scope="col">{file}</th>' for file in files]
    html.append("</tr></thead><tbody>")
    for row in rows:
        html.append(f'<tr><th scope="row">{row}</th>')
        for file in files:
            square = f"{file}{row}"
            if not board.playable(square):
                html.append(_gap(rules, square))
                continue
            piece = pieces.get(square)
            classes = [*states.get(square, ()), *(["target"] if square in ways.targets else [])]
            state = f' class="{" ".join(classes)}"' if classes else ""
            content = _content(rules, square, piece, ways)
            html.append(f'<td data-square="{square}"{state}>{content}</td>')
        html.append("</tr>")
    html.append("</tbody></table></div>")
    return mark_safe("".join(html))  # noqa: S308 - joined from escaped parts


def army(rules: Ruleset, seat: Seat, placed: Mapping[str, Rank]) -> SafeString:
    """An army on an otherwise empty board, as its owner sees it; no match is needed."""
    pieces = {square: SeenPiece(seat, rank) for square, rank in placed.items()}
    words = _("Your army as it will stand")
    return table(rules, pieces, caption=words, turned=seat is Seat.NORTH)


def text(look: Look) -> str:
    """The same board in letters, two signs a square: capitals South, small North, `?` hidden."""
    rules, seen = look.rules, look.observation
    files, rows = _axes(rules, look.viewpoint.seat is Seat.NORTH)
    head = "    " + " ".join(f"{file:<2}" for file in files).rstrip()
    lines = [head]
    for row in rows:
        cells = []
        for file in files:
            square = f"{file}{row}"
            if not rules.board.playable(square):
                cells.append("~~" if rules.family != "assaut" else "  ")
            elif piece := seen.pieces.get(square):
                cells.append(sign(piece))
            else:
                cells.append(".")
        lines.append(f"{row:>2}  " + " ".join(f"{cell:<2}" for cell in cells) + f" {row}")
    return "\n".join([*lines, head])


def sign(piece: SeenPiece) -> str:
    """The letters that stand for a piece: `R`, `r`, `S?`, `n?`, with `'` when demoted."""
    letters = piece.rank or f"{'SN'[piece.seat]}?"
    turned = letters if piece.seat is Seat.SOUTH else letters.lower()
    return turned + ("'" if "demoted" in piece.marks and piece.rank else "")


def caption(look: Look) -> str:
    """What the table shows, in words."""
    facts = {"game": _(look.rules.title), "ply": look.shown_ply}
    if look.viewpoint.seat is not None:
        player = look.players[look.viewpoint.seat]
        facts |= {"player": player.user, "seat": _(look.rules.seat_names[player.seat])}
        return _("%(game)s, ply %(ply)s, seen by %(player)s (%(seat)s)") % facts
    if look.viewpoint == "open":
        return _("%(game)s, ply %(ply)s, everything face up") % facts
    return _("%(game)s, ply %(ply)s, as onlookers see it") % facts


def emblem(rules: Ruleset, seat: Seat, rank: Rank | None, *, fallen: bool = False) -> SafeString:
    """One piece by itself, for a tray or a battle; `rank` None is a hidden one."""
    marks = frozenset(["demoted"]) if rank and rank.endswith("'") else frozenset()
    seen = SeenPiece(seat, rank and rank.rstrip("'"), marks)
    label, classes, inside = _appearance(rules, seen)
    if fallen:
        classes += " fallen"
    return mark_safe(f'<span class="{classes}" role="img" aria-label="{label}">{inside}</span>')  # noqa: S308 - joined from escaped parts


def _axes(rules: Ruleset, turned: bool) -> tuple[list[str], list[int]]:
    """Files from left to right and rows from top to foot, as the reader sits."""
    files = [square[0] for square in rules.board.squares[: rules.board.files]]
    rows = list(range(rules.board.ranks, 0, -1))
    return (files[::-1], rows[::-1]) if turned else (files, rows)


def _gap(rules: Ruleset, square: str) -> str:
    if rules.family == "assaut":
        return "<td></td>"
    return f'<td data-square="{square}" class="lake">{escape(_("lake"))}</td>'


def _content(rules: Ruleset, square: str, piece: SeenPiece | None, ways: Ways) -> str:
    """What stands in a square: nothing, a piece, or a door to choose or to reach it."""
    if piece is None:
        if (move := ways.targets.get(square)) is None:
            return ""
        words = escape(_("to %(square)s") % {"square": square})
        return f'<button name="move" value="{move}" aria-label="{words}">{square}</button>'
    label, classes, inside = _appearance(rules, piece)
    if (address := ways.choices.get(square)) is not None:
        return f'<a class="{classes}" href="{escape(address)}" aria-label="{label}">{inside}</a>'
    if (move := ways.targets.get(square)) is not None:
        attack = escape(_("attack %(square)s:") % {"square": square})
        return (
            f'<button class="{classes}" name="move" value="{move}" '
            f'aria-label="{attack} {label}">{inside}</button>'
        )
    return f'<span class="{classes}" role="img" aria-label="{label}">{inside}</span>'


def _appearance(rules: Ruleset, piece: SeenPiece) -> tuple[str, str, str]:
    name = rules.piece_names.get(piece.rank or "")
    side = rules.seat_names[piece.seat]
    language = get_language() or ""
    return _face(
        rules.family, piece.seat, piece.rank, name, piece.marks, side, sign(piece), language
    )


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
) -> tuple[str, str, str]:
    """A piece's label, classes and inner HTML; `language` keeps the cached words of each apart."""
    label = _(side)
    if name is not None:
        label = f"{label} {_(name)}"
    elif rank is not None:
        label = _("%(seat)s tile, attack %(attack)s, defence %(defence)s") % {
            "seat": label,
            "attack": rank[0],
            "defence": rank[1],
        }
    if "demoted" in marks:
        label = _("%(piece)s, demoted") % {"piece": label}
    if rank is None:
        label = _("%(piece)s, hidden") % {"piece": label}
    elif "shown" in marks:
        label = _("%(piece)s, face up") % {"piece": label}
    classes = ["piece", SIDES[seat], *sorted(marks)]
    if rank is None:
        return escape(label), " ".join([*classes, "hidden"]), f"<b>{letters}</b>"
    if family == "domino":
        return escape(label), " ".join([*classes, "bone"]), f"<b>{rank[0]}</b><b>{rank[1]}</b>"
    symbol = SYMBOLS.get(family, {}).get(rank, rank)
    drawing = f'<svg><use href="{_sprite()}#{symbol}"/></svg>'
    return escape(label), " ".join(classes), f"{drawing}<b>{letters}</b>"


@lru_cache(maxsize=1)
def _sprite() -> str:
    return static("svg/army.svg")
