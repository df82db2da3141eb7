"""Set-ups: the rows of a command as the text that the rules read."""

import re
from collections.abc import Sequence

from games.mail.reading.commands import Command
from games.mail.reading.grammar.set_up_rows import EMPTY

TILE = re.compile("[0-9]{2}|.")
RUN = re.compile("[0-9]+|.")


class WrongRows(ValueError):  # noqa: N818 - caught by those who turn it into a refusal.
    """The numbers or letters beside the rows are not those of the seat's own rows."""


def set_up_text(
    command: Command, *, files: str, rows: Sequence[int], turned: bool, tiles: bool = False
) -> str:
    """The canonical text of a set-up: the owner's rows, highest first.

    `files` and `rows` are those of the seat, the rows from the highest on; `turned` says that its
    letters draw the board by half a circle, and `tiles` that two figures are one piece. Whether the
    rows are right is for the rules, but what is written beside them must fit: raises WrongRows.
    """
    if command.squares:
        return ",".join(command.squares)
    if not command.drawn:
        return "/".join(command.rows)
    drawn = [_cells(row, len(files), tiles) for row in command.rows]
    if command.files not in ("", files, files[::-1]):
        raise WrongRows
    if command.files == files[::-1] or (turned and not command.files):
        drawn = [cells[::-1] for cells in drawn]
    if command.row_numbers:
        by_number = dict(zip(command.row_numbers, drawn, strict=True))
        if not set(by_number) <= set(rows):
            raise WrongRows
        drawn = [by_number[row] for row in rows if row in by_number]
    elif turned:
        drawn = drawn[::-1]
    return "/".join(map(_row_text, drawn))


def _cells(row: str, width: int, tiles: bool) -> list[str]:
    """The contents of a row, a piece or a run of empty squares each."""
    if tiles:
        return TILE.findall(row)
    # Figures are ranks of the Chinese edition if there are as many signs as squares.
    return list(row) if len(row) == width else RUN.findall(row)


def _row_text(cells: Sequence[str]) -> str:
    parts, empty = [], 0
    for cell in [*cells, ""]:
        if cell and cell in EMPTY:
            empty += 1
            continue
        if empty:
            parts.append(str(empty))
            empty = 0
        parts.append(cell)
    return "".join(parts)
