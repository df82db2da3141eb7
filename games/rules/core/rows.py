"""Rows of the board text: squares from left to right, empty ones as run lengths.

Used for set-ups and positions alike. What a square's content looks like is the ruleset's matter;
it hands in a table of texts, its faces.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from games.rules.core.board import EMPTY, VOID

WATER = "~"


class UnreadableRow(ValueError):  # noqa: N818 - caught by those who turn it into a refusal.
    """A row that is no row; the argument is the text from the first unreadable sign on."""


@cache
def _pattern(faces: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(faces, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)))


RUN = re.compile("[1-9][0-9]?")


def read_row(
    text: str, faces: Mapping[str, int], *, runs: bool = True, water: bool = True
) -> list[int]:
    """The contents of a row's squares, VOID for a lake; raises UnreadableRow."""
    pattern = _pattern(tuple(faces))
    contents: list[int] = []
    start = 0
    while start < len(text):
        if water and text[start] == WATER:
            contents.append(VOID)
            start += 1
        elif runs and (run := RUN.match(text, start)):
            contents += [EMPTY] * int(run.group())
            start = run.end()
        elif face := pattern.match(text, start):
            contents.append(faces[face.group()])
            start = face.end()
        else:
            raise UnreadableRow(text[start : start + 10])
    return contents


def write_row(texts: Iterable[str]) -> str:
    """A row from the texts of its squares, where an empty square is an empty text."""
    parts: list[str] = []
    run = 0
    for text in texts:
        if text:
            if run:
                parts.append(str(run))
                run = 0
            parts.append(text)
        else:
            run += 1
    if run:
        parts.append(str(run))
    return "".join(parts)
