"""Thumbnails: a set-up as a small drawing, for lists."""

from typing import NamedTuple

from games.play.setups import arrangement
from games.play.setups.arrangement import Arrangement
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset

CELL_UNITS = 10  # of the drawing


class Row(NamedTuple):
    """The letters of a row, and the x coordinate of each."""

    letters: str
    across: str
    down: int


class Thumbnail(NamedTuple):
    width: int
    height: int
    tiles: str  # the outline of the pieces, as an SVG path
    rows: list[Row]
    text: str  # the set-up in the notation


def thumbnail(rules: Ruleset, placed: Arrangement) -> Thumbnail:
    """The thumbnail of an arrangement as South, the front row first."""
    zone = rules.zone(Seat.SOUTH)
    numbers = sorted({int(square[1:]) for square in zone}, reverse=True)
    files = [square[0] for square in rules.board.squares[: rules.board.files]]
    rows, tiles = [], []
    for line, number in enumerate(numbers):
        taken = [
            (at, placed[f"{f}{number}"]) for at, f in enumerate(files) if f"{f}{number}" in placed
        ]
        tiles += [f"M{at * CELL_UNITS} {line * CELL_UNITS}h9v9h-9z" for at, _rank in taken]
        across = " ".join(str(at * CELL_UNITS + CELL_UNITS // 2) for at, _rank in taken)
        rows.append(Row("".join(rank[0] for _at, rank in taken), across, line * CELL_UNITS + 7))
    text = arrangement.to_text(rules, Seat.SOUTH, placed)
    return Thumbnail(len(files) * CELL_UNITS, len(rows) * CELL_UNITS, "".join(tiles), rows, text)
