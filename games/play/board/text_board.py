"""The board as plain text, for e-mails: cells of three columns, in ASCII only.

`!` follows a piece that stays face up, `'` a demoted one, `*` the piece that moved last. `,` is the
square that it left, and `x` one where a piece was captured; it follows the piece that stands there
now. A board with a longer sign has wider cells.
"""

from functools import lru_cache

from games.play.board.last_move import last_move
from games.play.board.orientation import axes
from games.play.board.pieces import sign
from games.play.record.snapshot import Snapshot
from games.presentation.registry import presentation_of
from games.rules.core.basics.board import Board
from games.rules.core.basics.pieces import Seat
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset.base import Ruleset

CELL_COLUMNS = 3
EMPTY, LEFT, FALLEN = ".", ",", "x"
LAKE = "~~"


def text(view: Snapshot, texts: dict[str, str] | None = None) -> str:
    """The board in letters, the reader's own edge at the bottom.

    South has capitals, North small letters, `?` is hidden, and a tile has its two numbers. `texts`
    are its `signs`, if they are known already.
    """
    rules = view.rules
    turned = view.viewpoint.seat is Seat.NORTH
    texts = signs(view) if texts is None else texts
    columns = max(CELL_COLUMNS, *map(len, texts.values())) if texts else CELL_COLUMNS
    cells, places = _empty_text(rules.board, _lake(rules), turned, columns)
    filled = list(cells)
    for square, letters in texts.items():
        filled[places[square]] = f"{letters:<{columns}} "
    return "".join(filled)


def signs(view: Snapshot) -> dict[str, str]:
    """The text of each square that has a piece or a mark."""
    last = last_move(view)
    texts = dict.fromkeys(last.fallen, FALLEN)
    if last.left:
        texts[last.left] = LEFT
    for square, piece in view.observation.pieces.items():
        marks = "*" * (square == last.moved) + FALLEN * (square in last.fallen)
        texts[square] = _marked(piece) + marks
    return texts


def empty_rows(rules: Ruleset, seat: Seat) -> str:
    """The empty rows of a set-up, to be filled in: the owner's edge at the bottom."""
    files, rows = axes(rules.board, seat is Seat.NORTH)
    head, own = _head(files, CELL_COLUMNS), set(rules.setup_rows(seat))
    lines = [head]
    for row in (row for row in rows if row in own):
        free = [rules.board.playable(f"{file}{row}") for file in files]
        cells = " ".join(f"{EMPTY if each else '':<{CELL_COLUMNS}}" for each in free)
        lines.append(f"{row:>2}   {cells} {row}")
    return "\n".join([*lines, head])


@lru_cache(maxsize=64)
def _empty_text(
    board: Board, lake: str, turned: bool, columns: int
) -> tuple[list[str], dict[str, int]]:
    """An empty board as parts of a text, and the index of each square among them."""
    files, rows = axes(board, turned)
    head = _head(files, columns)
    parts, places = [head], {}
    for row in rows:
        parts.append(f"\n{row:>2}   ")
        for file in files:
            square = f"{file}{row}"
            places[square] = len(parts)
            parts.append(f"{EMPTY if board.playable(square) else lake:<{columns}} ")
        parts.append(f"{row}")
    return [*parts, f"\n{head}"], places


def _lake(rules: Ruleset) -> str:
    """The text of a place that is not a square: water, or "" on a board of points."""
    return LAKE if presentation_of(rules.family).points is None else ""


def _marked(piece: SeenPiece) -> str:
    return sign(piece) + "!" * ("shown" in piece.marks)


def _head(files: list[str], columns: int) -> str:
    return " " * 5 + " ".join(f"{file:<{columns}}" for file in files).rstrip()
