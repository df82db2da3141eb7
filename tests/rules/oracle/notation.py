"""Oracle: squares, directions and the board text, which all games share (C2, C3).

A board is a dictionary from square names to pieces; how a piece is written is for its system to
say.
"""

import re
from collections.abc import Callable, Container

FILES = "abcdefghij"
OTHER = {"S": "N", "N": "S"}
FORWARD = {"S": 1, "N": -1}
ORTHOGONAL = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]


class IllegalMoveError(Exception):
    """The move may not be played; the text says so in a sentence."""


class InvalidSetupError(Exception):
    """The set-up or position may not be used; the text says so in a sentence."""


def square(file_number: int, row: int) -> str:
    """`square(1, 1) == "a1"`; files count from 1."""
    return f"{FILES[file_number - 1]}{row}"


def file_of(name: str) -> int:
    return FILES.index(name[0]) + 1


def row_of(name: str) -> int:
    return int(name[1:])


def step(name: str, across: int, up: int) -> str:
    """The square so many files to the right and rows up, "" beyond any board of ten files."""
    file_number = file_of(name) + across
    if not 1 <= file_number <= len(FILES):
        return ""
    return square(file_number, row_of(name) + up)


def all_squares(width: int, height: int) -> list[str]:
    """Highest row first, files from the left, as the board text goes."""
    return [square(f, row) for row in range(height, 0, -1) for f in range(1, width + 1)]


def write_rows(
    rows: list[int], width: int, blocked: Container[str], written: Callable[[str], str]
) -> str:
    """The board text of some rows; `written(name)` is the piece's text, "" on an empty square."""
    lines = []
    for row in rows:
        line, empty = "", 0
        for file_number in range(1, width + 1):
            name = square(file_number, row)
            text = "~" if name in blocked else written(name)
            if text == "":
                empty += 1
                continue
            line += (str(empty) if empty else "") + text
            empty = 0
        lines.append(line + (str(empty) if empty else ""))
    return "/".join(lines)


def read_rows(
    text: str, rows: list[int], width: int, blocked: Container[str], piece: str
) -> dict[str, str]:
    """The pieces' texts by square; `piece` is the regular expression of one piece."""
    lines = text.split("/")
    if len(lines) != len(rows):
        raise InvalidSetupError(f"There must be {len(rows)} rows, not {len(lines)}.")
    rank_by_square: dict[str, str] = {}
    for row, line in zip(rows, lines, strict=True):
        if re.fullmatch(rf"(?:\d+|~|{piece})*", line) is None:
            raise InvalidSetupError(f"Row {row} cannot be read: {line}.")
        names = [square(f, row) for f in range(1, width + 1)]
        at = 0
        for token in re.findall(rf"\d+|~|{piece}", line):
            if token.isdigit():
                at += int(token)
                continue
            if at >= width or (token == "~") != (names[at] in blocked):
                raise InvalidSetupError(f"Row {row} does not fit the board: {line}.")
            if token != "~":
                rank_by_square[names[at]] = token
            at += 1
        if at != width:
            raise InvalidSetupError(f"Row {row} must be {width} squares wide: {line}.")
    return rank_by_square


def setup_rows(seat: str, depth: int, height: int) -> list[int]:
    """The owner's rows of a set-up text, highest first (South 4/3/2/1, North 10/9/8/7)."""
    if seat == "S":
        return list(range(depth, 0, -1))
    return list(range(height, height - depth, -1))
