"""The sprite sheet: pieces and marks drawn from static/svg/army.svg, as one SVG file.

`manage.py draw_sprites` makes sprites.png of it, which is committed: a program that draws SVG files
is part of the development environment only.
"""

import re
from hashlib import sha256

from games.play.board.pieces import SIDES
from games.play.pictures.colours import INK, LIGHT, NORTH, SOUTH
from games.play.pictures.drawings import OVER, SHAPES, WAVES, symbols
from games.presentation.registry import presentation_of
from games.rules import registry
from games.rules.core.basics.pieces import Seat

SPRITE_PX = 80
SPRITE_UNITS = 40  # as a square of drawings.py
COLUMNS = 8
TILES = {Seat.SOUTH: SOUTH, Seat.NORTH: NORTH}
HIDDEN, BLANK, BONE = "hidden", "blank", "bone"  # pieces without a drawing of their own
LAKE = "lake"
MARKS = ("last-from", "last-to", "battle")
STYLE = "<style>.ring{fill:none;stroke-width:2.5}</style>"
VARIABLE = re.compile(r"var\(--(\w+)(?:,[^)]{0,20})?\)")


def sprites() -> dict[str, str]:
    """Each sprite as SVG around its middle, by name: `south-M`, `north-hidden`, `lake`."""
    used = {
        symbol for family in registry.games for symbol in presentation_of(family).symbols.values()
    }
    drawings = {}
    for seat, side in SIDES.items():
        tile = f'<path d="{SHAPES[seat]}" fill="{TILES[seat]}"/>'
        drawings[f"{side}-{BLANK}"] = tile
        envelope = f'<path d="M-9-7h18v14h-18zM-9-7 0 1l9-8" stroke="{INK}" stroke-width="1.5"/>'
        drawings[f"{side}-{HIDDEN}"] = tile + envelope
        drawings[f"{side}-{BONE}"] = tile + f'<path d="M0-15h15v30h-15z" fill="{INK}"/>'
        for name in sorted(used):
            drawings[f"{side}-{name}"] = tile + _symbol(name, TILES[seat])
    water = f'<path d="M-20-20h40v40h-40z" fill="{LIGHT["water"]}"/>'
    drawings[LAKE] = _resolved(water + WAVES)
    return drawings | {mark: _resolved(OVER[mark]) for mark in MARKS}


def sheet_svg() -> str:
    """All sprites in rows of COLUMNS, in the order of `sprites`."""
    drawn = list(sprites().values())
    width, height = COLUMNS * SPRITE_UNITS, -(-len(drawn) // COLUMNS) * SPRITE_UNITS
    scale = SPRITE_PX // SPRITE_UNITS
    cells = "\n".join(
        f'<g transform="translate({number % COLUMNS * SPRITE_UNITS + SPRITE_UNITS // 2}'
        f' {number // COLUMNS * SPRITE_UNITS + SPRITE_UNITS // 2})">{body}</g>'
        for number, body in enumerate(drawn)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale}"'
        f' height="{height * scale}" viewBox="0 0 {width} {height}" fill="none">'
        f"{STYLE}\n{cells}\n</svg>\n"
    )


def digest() -> str:
    """A digest of the sheet; sprites.png contains that of the sheet from which it was drawn."""
    return sha256(sheet_svg().encode()).hexdigest()[:32]


def _symbol(name: str, tile: str) -> str:
    """A drawing of army.svg where it is on a piece, with the colours that the piece has."""
    inside = symbols()[name].partition(">")[2].removesuffix("</symbol>")
    inside = inside.replace("currentColor", INK).replace("var(--tile)", tile)
    return f'<g transform="translate(-11 -15) scale({22 / 32:g})">{inside}</g>'


def _resolved(drawing: str) -> str:
    return VARIABLE.sub(lambda match: LIGHT[match[1]], drawing)
