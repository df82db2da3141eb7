"""Films of matches as GIF files: the board at each ply; each frame holds the changed squares only.

The frames are written one by one, so a long film takes no more memory than a short one.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from PIL import GifImagePlugin, Image

from games.play.board.last_move import last_move
from games.play.models.kind import PlyKind
from games.play.pictures import canvas
from games.play.pictures.canvas import EMPTY, Looks
from games.play.record import match_view
from games.play.record.match_view import ATTACK_SIGN
from games.play.record.snapshot import Snapshot
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.ruleset.base import Ruleset

SQUARE_PX = 40
FRAME_MS, BATTLE_MS, LAST_MS = 700, 1400, 4000
MAX_PLIES = 1000
MAX_BYTES = 4 * 1024 * 1024
PLIES_AT_ONCE = 50  # read by two queries

KEEP = 1  # the disposal method of a GIF frame: the next one is drawn over it
COLOURS = 0xF7  # the flags of a screen with a table of 256 colours
ENDLESS = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"  # the extension that repeats a film
END = b";"


class TooLong(Exception):  # noqa: N818 -- a refusal, not an error.
    """The match has more than MAX_PLIES, or its film more than MAX_BYTES."""


class Frame(NamedTuple):
    """A board of the film, and whether a battle was fought on it."""

    looks: Looks
    fought: bool


def film(match_id: int, viewpoint: Viewpoint, last: int) -> bytes:
    """The film of a match up to ply `last`, counted from 0, as somebody without a seat may see it.

    South is at the bottom. Raises Match.DoesNotExist, NoSuchPly and ViewpointNotAllowed as
    `match_view` does, and TooLong.
    """
    if last > MAX_PLIES:
        raise TooLong
    views = _views(match_id, viewpoint, last)
    first = next(views)
    data = bytearray()
    for part in _encoded(first.rules, map(_frame, chain([first], views))):
        data += part
        if len(data) > MAX_BYTES:
            raise TooLong
    return bytes(data)


def _views(match_id: int, viewpoint: Viewpoint, last: int) -> Iterator[Snapshot]:
    for first in range(0, last + 1, PLIES_AT_ONCE):
        until = min(first + PLIES_AT_ONCE - 1, last)
        yield from match_view.view_plies(match_id, None, first, until, viewpoint=viewpoint)


def _frame(view: Snapshot) -> Frame:
    entry = view.entry
    fought = entry.kind == PlyKind.MOVE and ATTACK_SIGN in entry.text
    return Frame(canvas.looks(view), fought or bool(last_move(view).fallen))


def _encoded(rules: Ruleset, frames: Iterable[Frame]) -> Iterator[bytes]:
    """The file in parts: its head, each frame, its end."""
    frames = iter(frames)
    first = next(frames)
    width, height = canvas.board_size(rules, SQUARE_PX)
    yield b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little")
    yield bytes((COLOURS, canvas.index("paper"), 0)) + canvas.palette_bytes() + ENDLESS
    board = canvas.draw_board(rules, first.looks, SQUARE_PX)
    shown: Frame = first
    offset = (0, 0)
    image = board
    for frame in chain(frames, [None]):
        wait = LAST_MS if frame is None else BATTLE_MS if shown.fought else FRAME_MS
        yield from _image(image, offset, wait)
        if frame is not None:
            image, offset = _changes(rules, shown.looks, frame.looks)
            shown = frame
    yield END


def _image(image: Image.Image, offset: tuple[int, int], wait_ms: int) -> Iterable[bytes]:
    return GifImagePlugin.getdata(
        image,
        offset,
        duration=wait_ms,
        disposal=KEEP,
        transparency=canvas.TRANSPARENT,
        interlace=False,
    )


def _changes(rules: Ruleset, before: Looks, after: Looks) -> tuple[Image.Image, tuple[int, int]]:
    """The smallest image with all changed squares, and where it is; the rest is transparent."""
    changed = [
        square
        for square in {**before, **after}
        if before.get(square, EMPTY) != after.get(square, EMPTY)
    ]
    # A frame without changes, such as a resignation, still needs an image.
    changed = changed or [rules.board.squares[0]]
    corners = {square: canvas.corner(rules, SQUARE_PX, square) for square in changed}
    left, top = (min(place[axis] for place in corners.values()) for axis in (0, 1))
    right, bottom = (max(place[axis] for place in corners.values()) for axis in (0, 1))
    size = (right - left + SQUARE_PX, bottom - top + SQUARE_PX)
    image = Image.new("P", size, canvas.TRANSPARENT)
    image.putpalette(canvas.palette_bytes())
    for square, (x, y) in corners.items():
        tile = canvas.tile(rules, SQUARE_PX, square, after.get(square, EMPTY))
        image.paste(tile, (x - left, y - top))
    return image, (left, top)
