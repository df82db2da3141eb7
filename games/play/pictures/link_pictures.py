"""The pictures of link previews: a board, the players, the game and the number of the move.

They contain no sentence, since one picture serves readers of all languages.
"""

from io import BytesIO
from math import cos, pi, sin

from PIL import Image, ImageDraw

from games.play.models.kind import PlyKind
from games.play.pictures import canvas
from games.play.record.snapshot import Snapshot
from games.rules import registry
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.pieces import Seat

WIDTH, HEIGHT = 1200, 630
MARGIN = 35
LARGEST_SQUARE = 80
SWATCH = 64  # the piece next to a player's name
NAME_SIZE, TITLE_SIZE, MOVE_SIZE = 46, 38, 110
SMALLEST_SIZE = 12
COMPRESSION = 6  # of PNG files, 0 to 9


def picture(view: Snapshot) -> bytes:
    """A PNG file of WIDTH by HEIGHT pixels; South is at the bottom."""
    board = view.rules.board
    px = min((HEIGHT - 2 * MARGIN) // max(board.ranks, board.files), LARGEST_SQUARE)
    drawn = canvas.draw_board(view.rules, canvas.looks(view), px)
    image = canvas.blank(WIDTH, HEIGHT)
    top = (HEIGHT - drawn.height) // 2
    frame = (MARGIN - 3, top - 3, MARGIN + drawn.width + 2, top + drawn.height + 2)
    ImageDraw.Draw(image).rectangle(frame, canvas.index("hedge"))
    image.paste(drawn, (MARGIN, top))
    left = 2 * MARGIN + drawn.width
    winner = winner_at(view)
    for seat, y in ((Seat.NORTH, MARGIN), (Seat.SOUTH, HEIGHT - MARGIN - SWATCH)):
        _player(image, view, seat, left, y, won=seat is winner)
    middle = left + (WIDTH - MARGIN - left) // 2
    title = registry.title(view.rules.family)
    _fitted(image, middle, HEIGHT // 2 - 70, title, TITLE_SIZE, WIDTH - MARGIN - left, "mm")
    if turn := view.observation.ply:
        canvas.write(image, (middle, HEIGHT // 2 + 30), str(move_number(turn)), MOVE_SIZE, "mm")
    file = BytesIO()
    image.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()


def winner_at(view: Snapshot) -> Seat | None:
    """Who won by the ply shown; None if it did not end the match, or ended it in a draw.

    Whatever happens later does not change it.
    """
    entry, seen = view.entry, view.observation
    if entry.kind == PlyKind.MOVE:
        return seen.outcome.winner if seen.outcome else None
    if entry.kind == PlyKind.RESIGN and entry.seat is not None:
        return entry.seat.other
    return seen.turn.other if entry.kind == PlyKind.TIME else None


def _player(
    image: Image.Image, view: Snapshot, seat: Seat, left: int, top: int, *, won: bool
) -> None:
    swatch = canvas.swatch(seat, SWATCH)
    image.paste(swatch, (left, top))
    text = left + SWATCH + 15
    room = WIDTH - MARGIN - text - (SWATCH if won else 0)
    y = top + SWATCH // 2
    end = _fitted(image, text, y, view.sides[seat], NAME_SIZE, room, "lm")
    if won:
        _star(image, end + SWATCH // 2, y)


def _fitted(
    image: Image.Image, x: int, y: int, text: str, size: int, room: int, anchor: str
) -> int:
    """Write a text as large as `size` and the room allow; returns where it ends."""
    width = canvas.text_width(text, size)
    if width > room:
        size = max(SMALLEST_SIZE, size * room // width)
        width = canvas.text_width(text, size)
    canvas.write(image, (x, y), text, size, anchor)
    return x + width


def _star(image: Image.Image, x: int, y: int) -> None:
    outer, inner = SWATCH * 0.4, SWATCH * 0.16
    points = [
        (x + length * sin(step * pi / 5), y - length * cos(step * pi / 5))
        for step in range(10)
        for length in (inner if step % 2 else outer,)
    ]
    draw = ImageDraw.Draw(image)
    draw.polygon(points, canvas.index("gilt"), canvas.index("mark"))
