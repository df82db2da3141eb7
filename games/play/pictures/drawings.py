"""Draws pictures as self-contained SVG files, for light and dark screens.

Pieces are drawn from static/svg/army.svg. States of squares look as on any board
(docs/board-markup.md).
"""

import re
from functools import cache
from itertools import chain
from math import hypot
from pathlib import Path

from django.conf import settings
from django.utils.html import escape

from games.play.board.pieces import SIDES, sign
from games.play.pictures.board_lines import lines
from games.play.pictures.colours import DARK, INK, LIGHT, NORTH, SOUTH, properties
from games.presentation.pictures import Picture
from games.presentation.registry import presentation_of
from games.rules.core.basics.pieces import Seat
from games.rules.core.observation import SeenPiece

CELL_UNITS = 40
EDGE_UNITS = 20  # the strip on the left and at the bottom with row and file labels
SYMBOL = re.compile(r'<symbol id="(\w+)"(?:(?!</?symbol\b).)*</symbol>', re.DOTALL)

STYLE = f"""
svg{{{properties(LIGHT)}}}
@media(prefers-color-scheme:dark){{svg{{{properties(DARK)}}}}}
text{{font:600 13px sans-serif;text-anchor:middle}}
.axis{{fill:var(--faded)}}.south{{--tile:{SOUTH};color:{INK}}}.north{{--tile:{NORTH};color:{INK}}}
.south text,.north text{{fill:{INK};font-size:9px}}.big{{font-size:19px!important}}
.ring{{fill:none;stroke-width:2.5}}
""".replace("\n", "")

# Drawn over the middle of a square, by state.
OVER = {
    "target": '<circle r="14" class="ring" stroke="var(--mark)"/>',
    "battle": '<circle r="17" class="ring" stroke="var(--hit)" stroke-width="4"/>',
    "hit": '<circle r="16" class="ring" stroke="var(--hit)" stroke-dasharray="6 3"/>',
    "offender": '<circle r="18" class="ring" stroke="var(--hit)" stroke-dasharray="2 3"/>',
    "last-from": '<circle r="14" class="ring" stroke="var(--mark)" stroke-dasharray="4 4"/>',
    "last-to": '<circle r="18" class="ring" stroke="var(--mark)"/>',
}
TAKES = '<path d="M-18-18h36v36h-36z" class="ring" stroke="var(--hit)" stroke-dasharray="3 3"/>'
SHAPES = {
    Seat.SOUTH: "M-17-17h34v34h-34z",
    Seat.NORTH: "M-12-17h24l5 5v24l-5 5h-24l-5-5v-24z",
}


def size(picture: Picture) -> tuple[int, int]:
    """Width and height of a picture."""
    board = picture.rules.board
    return board.files * CELL_UNITS + EDGE_UNITS, board.ranks * CELL_UNITS + EDGE_UNITS


def svg(picture: Picture) -> str:
    """The SVG text; boards are drawn from South's side."""
    width, height = size(picture)
    used = {_symbol(picture, piece) for piece in picture.pieces.values()} - {""}
    parts = chain(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            f' width="{width}" height="{height}" fill="none" role="img">',
            f"<title>{escape(picture.caption)}</title><style>{STYLE}</style>",
            *(symbols()[name] for name in sorted(used)),
            f'<rect width="{width}" height="{height}" fill="var(--paper)"/>',
        ],
        _ground(picture),
        _axes(picture),
        (_piece(picture, square) for square in sorted(picture.pieces)),
        _states(picture),
        (_arrow(picture, *arrow) for arrow in picture.arrows),
        ["</svg>", ""],
    )
    return "\n".join(parts)


def _middle(picture: Picture, square: str) -> tuple[int, int]:
    file, row = ord(square[0]) - ord("a"), int(square[1:])
    return EDGE_UNITS + file * CELL_UNITS + CELL_UNITS // 2, (
        picture.rules.board.ranks - row
    ) * CELL_UNITS + CELL_UNITS // 2


def _at(picture: Picture, square: str, drawing: str, classes: str = "") -> str:
    x, y = _middle(picture, square)
    return f'<g transform="translate({x} {y})"{classes}>{drawing}</g>'


def _ground(picture: Picture) -> list[str]:
    """Squares and lakes, or points and the lines between them."""
    board = picture.rules.board
    points = presentation_of(picture.rules.family).points
    if points:
        fort = picture.rules.zone(points.fortress_of)
        parts = [
            _at(picture, square, '<path d="M-20-20h40v40h-40z" fill="var(--fort)"/>')
            for square in fort
        ]
        path = "".join(
            "M{} {}L{} {}".format(*_middle(picture, one), *_middle(picture, other))
            for one, other in lines(picture.rules)
        )
        parts.append(f'<path d="{path}" stroke="var(--faded)"/>')
        ends = {square for line in lines(picture.rules) for square in line}
        dot = '<circle r="3.5" fill="var(--faded)"/>'
        return parts + [_at(picture, square, dot) for square in sorted(ends)]
    parts = []
    for number, square in enumerate(board.squares):
        odd = (number // board.files + number) % 2 if board.files % 2 == 0 else number % 2
        fill = "--water" if not board.playable(square) else "--land2" if odd else "--land"
        drawing = f'<path d="M-20-20h40v40h-40z" fill="var({fill})" stroke="var(--hedge)"/>'
        if not board.playable(square):
            drawing += WAVES
        parts.append(_at(picture, square, drawing))
    return parts


def _axes(picture: Picture) -> list[str]:
    board = picture.rules.board
    foot = board.ranks * CELL_UNITS + 15
    files = [
        f'<text class="axis" x="{EDGE_UNITS + CELL_UNITS * file + CELL_UNITS // 2}" y="{foot}">'
        f"{board.squares[file]}</text>".replace("1<", "<")
        for file in range(board.files)
    ]
    rows = [
        f'<text class="axis" x="10" y="{(board.ranks - row) * CELL_UNITS + 25}">{row}</text>'
        for row in range(1, board.ranks + 1)
    ]
    return files + rows


def _symbol(picture: Picture, piece: SeenPiece) -> str:
    """The name of the symbol of a piece; "" if it has none."""
    return presentation_of(picture.rules.family).symbols.get(piece.rank or "", "")


def _piece(picture: Picture, square: str) -> str:
    piece, presentation = picture.pieces[square], presentation_of(picture.rules.family)
    body = f'<path d="{SHAPES[piece.seat]}" fill="var(--tile)"/>'
    symbol = _symbol(picture, piece)
    if piece.rank is None:
        body += f'<path d="M-9-7h18v14h-18zM-9-7 0 1l9-8" stroke="{INK}" stroke-width="1.5"/>'
    elif symbol:
        body += f'<use href="#{symbol}" x="-11" y="-15" width="22" height="22"/>'
        body += f'<text y="15">{escape(sign(piece).upper())}</text>'
    elif presentation.tiles:
        body += (
            f'<path d="M0-15h15v30h-15z" fill="{INK}"/>'
            f'<text class="big" x="-8" y="7">{piece.rank[0]}</text>'
            f'<text class="big" x="8" y="7" style="fill:var(--tile)">{piece.rank[1]}</text>'
        )
    else:
        body += f'<text class="big" y="7">{escape(piece.rank)}</text>'
    if presentation.points:
        body = f'<g transform="scale(.75)">{body}</g>'  # Keep the lines around it visible.
    return _at(picture, square, body, f' class="{SIDES[piece.seat]}"')


def _states(picture: Picture) -> list[str]:
    parts = []
    for square, states in sorted(picture.marks.items()):
        for state in states:
            taken = state == "target" and square in picture.pieces
            parts.append(_at(picture, square, TAKES if taken else OVER.get(state, CHOSEN)))
    return parts


WAVES = '<path d="M-16-6q4-4 8 0t8 0 8 0 8 0m-32 12q4-4 8 0t8 0 8 0 8 0" stroke="var(--wave)"/>'
CHOSEN = '<path d="M-19-19h38v38h-38z" class="ring" stroke="var(--gilt)" stroke-width="4"/>'


def _arrow(picture: Picture, one: str, other: str) -> str:
    """An arrow between two squares; its head ends before the middle of the second."""
    (x, y), (to_x, to_y) = _middle(picture, one), _middle(picture, other)
    length = hypot(to_x - x, to_y - y)
    east, south = (to_x - x) / length, (to_y - y) / length
    x, y = round(x + 7 * east), round(y + 7 * south)
    tip_x, tip_y = to_x - 8 * east, to_y - 8 * south
    wings = [
        (tip_x - 7 * east + 4 * side * south, tip_y - 7 * south - 4 * side * east)
        for side in (1, -1)
    ]
    head = " ".join(f"{a:.0f},{b:.0f}" for a, b in [(tip_x, tip_y), *wings])
    return (
        f'<path d="M{x} {y}L{tip_x:.0f} {tip_y:.0f}" stroke="var(--hit)" stroke-width="2"/>'
        f'<polygon points="{head}" fill="var(--hit)"/>'
    )


@cache
def symbols() -> dict[str, str]:
    """The symbols of `static/svg/army.svg`, by name."""
    text = Path(settings.BASE_DIR, "static/svg/army.svg").read_text(encoding="utf-8")
    return {match[1]: match[0] for match in SYMBOL.finditer(text)}
