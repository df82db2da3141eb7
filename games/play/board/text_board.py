"""The board as plain text, for e-mails."""

from functools import lru_cache

from games.play.board.orientation import axes
from games.play.board.pieces import sign
from games.play.record.snapshot import Snapshot
from games.presentation.registry import presentation_of
from games.rules.core.board import Board
from games.rules.core.pieces import Seat


def text(view: Snapshot) -> str:
    """The board in letters, the reader's own edge at the foot.

    Capitals are South's, small letters North's, `?` is hidden, a tile is its two figures.
    """
    rules, width = view.rules, 3 if view.rules.mark == "demoted" else 2
    lake = "~~" if presentation_of(rules.family).points is None else "  "
    turned = view.viewpoint.seat is Seat.NORTH
    cells, places = _empty_text(rules.board, lake, turned, width)
    filled = list(cells)
    for square, piece in view.observation.pieces.items():
        filled[places[square]] = f"{sign(piece):<{width}} "
    return "".join(filled)


@lru_cache(maxsize=64)
def _empty_text(
    board: Board, lake: str, turned: bool, width: int
) -> tuple[list[str], dict[str, int]]:
    """A board on which nothing stands, piece by piece of its text, and where each square is."""
    files, rows = axes(board, turned)
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
