"""Boards as pixels, drawn by Pillow from sprites: for the pictures of links, and for films.

All images have one palette, so nothing is quantized when a picture is made, and a film needs no
palettes of its own. Squares are pasted as finished tiles, which each process remembers.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageColor, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngImageFile

from games.play.board.last_move import last_move
from games.play.board.pieces import SIDES, sign
from games.play.pictures import sheet
from games.play.pictures.board_lines import lines
from games.play.pictures.colours import INK, LIGHT, NORTH, SOUTH
from games.play.record.snapshot import Snapshot
from games.presentation.registry import presentation_of
from games.rules.core.basics.pieces import Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset.base import Ruleset

SHEET = Path(__file__).with_name("sprites.png")

TRANSPARENT = 255  # the palette index of what a frame of a film leaves as it was
POINT_SCALE = 0.75  # of pieces on boards of points, so that the lines around them stay visible
SMOOTHING = 4  # lines are drawn this much larger first
TEXT_STEPS = 12  # shades between a text and its ground

RGB = tuple[int, int, int]


class Look(NamedTuple):
    """What a square shows: a piece or none, and the sprite of a mark, or ""."""

    piece: SeenPiece | None
    mark: str = ""


EMPTY = Look(None)
Looks = Mapping[str, Look]  # by square; squares that are left out are empty


def looks(view: Snapshot) -> dict[str, Look]:
    """What each square shows that has a piece, or was part of the last move."""
    move = last_move(view)
    marks = dict.fromkeys(move.fallen, "battle") | {
        square: mark
        for square, mark in ((move.left, "last-from"), (move.moved, "last-to"))
        if square
    }
    pieces = view.observation.pieces
    return {
        square: Look(pieces.get(square), marks.get(square, ""))
        for square in (*pieces, *(square for square in marks if square not in pieces))
    }


def board_size(rules: Ruleset, px: int) -> tuple[int, int]:
    """The width and height of a board with squares of `px` pixels."""
    return rules.board.files * px, rules.board.ranks * px


def corner(rules: Ruleset, px: int, square: str) -> tuple[int, int]:
    """The left upper corner of a square; South is at the bottom."""
    return (ord(square[0]) - ord("a")) * px, (rules.board.ranks - int(square[1:])) * px


def draw_board(rules: Ruleset, shown: Looks, px: int) -> Image.Image:
    """A board with squares of `px` pixels."""
    image = _ground(rules, px).copy()
    for square, look in shown.items():
        image.paste(tile(rules, px, square, look), corner(rules, px, square))
    return image


def tile(rules: Ruleset, px: int, square: str, look: Look) -> Image.Image:
    """One square, with its ground."""
    if presentation_of(rules.family).points is None:
        # Squares of the same shade look alike.
        square = rules.board.squares[_shade(rules, square)]
    return _tile(rules, px, square, look)


def blank(width: int, height: int) -> Image.Image:
    """An empty image with the common palette, of the colour of paper."""
    image = Image.new("P", (width, height), index("paper"))
    image.putpalette(palette_bytes())
    return image


def write(image: Image.Image, at: tuple[int, int], text: str, size: int, anchor: str) -> None:
    """Write text on the colour of paper; `at` and `anchor` as in Pillow's ImageDraw."""
    font = ImageFont.load_default(size)
    left, top, right, bottom = (int(edge) for edge in font.getbbox(text, anchor=anchor))
    box = (right - left + 2, bottom - top + 2)
    mask = Image.new("L", box)
    ImageDraw.Draw(mask).text((1 - left, 1 - top), text, 255, font, anchor)
    shades = [
        index_of(mixed(LIGHT["paper"], LIGHT["faded"], round(v / 255 * TEXT_STEPS), TEXT_STEPS))
        for v in range(256)
    ]
    written = Image.frombytes("P", box, mask.point(shades).tobytes())
    image.paste(written, (at[0] + left - 1, at[1] + top - 1))


@cache
def swatch(seat: Seat, px: int) -> Image.Image:
    """The blank piece of a seat on the colour of paper, of `px` by `px` pixels."""
    image = Image.new("RGB", (px, px), LIGHT["paper"])
    piece = _sprite(f"{SIDES[seat]}-{sheet.BLANK}", px)
    image.paste(piece, (0, 0), piece)
    return _indexed(image)


def text_width(text: str, size: int) -> int:
    """The width of a text in pixels."""
    return int(ImageFont.load_default(size).getlength(text)) + 1


def index(name: str) -> int:
    """The index of a colour of `colours` in the palette."""
    return index_of(ImageColor.getrgb(LIGHT[name])[:3])


@cache
def index_of(colour: RGB) -> int:
    """The index of the nearest colour of the palette."""
    return min(
        range(len(_palette())),
        key=lambda at: sum((a - b) ** 2 for a, b in zip(_palette()[at], colour, strict=True)),
    )


def mixed(one: str, other: str, step: int, steps: int) -> RGB:
    """A colour between two."""
    pair = zip(ImageColor.getrgb(one)[:3], ImageColor.getrgb(other)[:3], strict=True)
    red, green, blue = (round(a + (b - a) * step / steps) for a, b in pair)
    return red, green, blue


def ramps() -> Iterable[tuple[str, str, int]]:
    """Pairs of colours that meet in pictures, and the number of steps between them."""
    grounds = [LIGHT[name] for name in ("land", "land2", "fort", "paper", "water")]
    edges = [SOUTH, NORTH, *(LIGHT[name] for name in ("hedge", "mark", "hit", "faded"))]
    yield from ((one, other, 5) for one, other in product(grounds, edges))
    yield from ((tile, INK, 9) for tile in (SOUTH, NORTH))
    yield from ((tile, LIGHT["mark"], 3) for tile in (SOUTH, NORTH))
    yield from ((tile, LIGHT["hit"], 3) for tile in (SOUTH, NORTH))
    yield LIGHT["paper"], LIGHT["faded"], TEXT_STEPS
    yield LIGHT["paper"], LIGHT["gilt"], 5
    yield LIGHT["water"], LIGHT["wave"], 5


@cache
def _palette() -> tuple[RGB, ...]:
    colours = {
        mixed(one, other, step, steps): None
        for one, other, steps in ramps()
        for step in range(steps + 1)
    }
    return tuple(colours)


def palette_bytes() -> bytes:
    """256 colours of three bytes."""
    colours = b"".join(map(bytes, _palette()))
    return colours + colours[:3] * (256 - len(_palette()))


def _indexed(image: Image.Image) -> Image.Image:
    """An RGB image in the colours of the palette."""
    palette = Image.new("P", (1, 1))
    palette.putpalette(palette_bytes())
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


@cache
def _sheet() -> tuple[Image.Image, dict[str, int]]:
    """The sprites, and the place of each by name."""
    with PngImageFile(SHEET) as file:
        names = file.text["names"].split()
        return file.convert("RGBA"), {name: number for number, name in enumerate(names)}


def has_sprite(name: str) -> bool:
    """Whether there is a sprite of that name."""
    return name in _sheet()[1]


@lru_cache(maxsize=512)
def _sprite(name: str, px: int) -> Image.Image:
    """A sprite in a square of `px` pixels."""
    whole, places = _sheet()
    x, y = places[name] % sheet.COLUMNS, places[name] // sheet.COLUMNS
    side = sheet.SPRITE_PX
    box = (x * side, y * side, (x + 1) * side, (y + 1) * side)
    return whole.crop(box).resize((px, px), Image.Resampling.LANCZOS)


def _shade(rules: Ruleset, square: str) -> int:
    """0 or 1: which of two shades a square has."""
    board = rules.board
    number = board.squares.index(square)
    return (number // board.files + number) % 2 if board.files % 2 == 0 else number % 2


@lru_cache(maxsize=32)
def _ground(rules: Ruleset, px: int) -> Image.Image:
    """A board without pieces."""
    return _indexed(_rgb_ground(rules, px))


@lru_cache(maxsize=8)
def _rgb_ground(rules: Ruleset, px: int) -> Image.Image:
    if presentation_of(rules.family).points:
        return _points(rules, px)
    board = rules.board
    image = Image.new("RGB", board_size(rules, px))
    draw = ImageDraw.Draw(image)
    for square in board.squares:
        x, y = corner(rules, px, square)
        if board.playable(square):
            fill = LIGHT["land2" if _shade(rules, square) else "land"]
            draw.rectangle((x, y, x + px - 1, y + px - 1), fill, LIGHT["hedge"])
        else:
            image.paste(_sprite(sheet.LAKE, px).convert("RGB"), (x, y))
    return image


def _points(rules: Ruleset, px: int) -> Image.Image:
    """A board of points: the fortress, the lines, and a dot on each point."""
    large = px * SMOOTHING
    width, height = board_size(rules, px)
    image = Image.new("RGB", (width * SMOOTHING, height * SMOOTHING), LIGHT["paper"])
    draw = ImageDraw.Draw(image)

    def middle(square: str) -> tuple[int, int]:
        x, y = corner(rules, large, square)
        return x + large // 2, y + large // 2

    points = presentation_of(rules.family).points
    for square in rules.zone(points.fortress_of) if points else ():
        x, y = corner(rules, large, square)
        draw.rectangle((x, y, x + large, y + large), LIGHT["fort"])
    for one, other in lines(rules):
        draw.line((middle(one), middle(other)), LIGHT["faded"], large // 30)
    for square in filter(rules.board.playable, rules.board.squares):
        draw.circle(middle(square), large // 12, LIGHT["faded"])
    return image.resize((width, height), Image.Resampling.BOX)


@lru_cache(maxsize=2048)
def _tile(rules: Ruleset, px: int, square: str, look: Look) -> Image.Image:
    x, y = corner(rules, px, square)
    image = _rgb_ground(rules, px).crop((x, y, x + px, y + px))
    if look.piece:
        scale = POINT_SCALE if presentation_of(rules.family).points else 1
        inner = round(px * scale)
        piece = _piece(rules, look.piece, inner)
        image.paste(piece, ((px - inner) // 2, (px - inner) // 2), piece)
    if look.mark:
        mark = _sprite(look.mark, px)
        image.paste(mark, (0, 0), mark)
    return _indexed(image)


def _piece(rules: Ruleset, piece: SeenPiece, px: int) -> Image.Image:
    """A piece in a square of `px` pixels: a drawing and its letter, two digits, or letters."""
    side, presentation = SIDES[piece.seat], presentation_of(rules.family)
    if piece.rank is None:
        return _sprite(f"{side}-{sheet.HIDDEN}", px)
    unit = px / sheet.SPRITE_UNITS
    if presentation.tiles:
        image = _sprite(f"{side}-{sheet.BONE}", px).copy()
        tile = SOUTH if piece.seat is Seat.SOUTH else NORTH
        _letter(image, piece.rank[0], 12 * unit, 20 * unit, 19 * unit, INK)
        _letter(image, piece.rank[1], 27.5 * unit, 20 * unit, 19 * unit, tile)
        return image
    drawing = f"{side}-{presentation.symbols.get(piece.rank, '')}"
    letters = sign(piece).upper()
    if has_sprite(drawing):
        image = _sprite(drawing, px).copy()
        _letter(image, letters, 20 * unit, 32 * unit, 10 * unit, INK)
    else:
        image = _sprite(f"{side}-{sheet.BLANK}", px).copy()
        _letter(image, letters, 20 * unit, 20 * unit, 19 * unit, INK)
    return image


def _letter(image: Image.Image, text: str, x: float, y: float, size: float, fill: str) -> None:
    ImageDraw.Draw(image).text((x, y), text, fill, ImageFont.load_default(size), "mm")
