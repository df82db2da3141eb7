"""Row text: one row of a board or set-up as text, with empty squares as run lengths.

The ruleset supplies the text of each content, its faces.
"""

import re
from collections.abc import Iterable, Mapping

from games.rules.core.basics.board import EMPTY, VOID
from lib.spelling import typed_text

WATER = "~"

# Phones and word processors write a dash for two hyphens, and other signs for one or for a slash.
TYPED_SIGNS = str.maketrans(
    dict.fromkeys("–—―⸺", "--")
    | dict.fromkeys("‐‑‒−﹣", "-")
    | dict.fromkeys("⁄∕╱⧸", "/")
    | dict.fromkeys("\r\x0b\x0c\x85\u2028\u2029", "\n")
)


class UnreadableRow(ValueError):  # noqa: N818 - caught by those who turn it into a refusal.
    """An unreadable row; the argument is the text from its first unreadable sign on."""


RUN = "[1-9][0-9]?"
EMPTY_RUNS = {str(length): (EMPTY,) * length for length in range(1, 100)}


class RowReader:
    """Parser of rows, with its table and pattern made once.

    `runs` allows run lengths of empty squares, `water` the sign of a lake.
    """

    def __init__(self, faces: Mapping[str, int], *, runs: bool = True, water: bool = True) -> None:
        self.contents: dict[str, tuple[int, ...]] = {
            face: (content,) for face, content in faces.items()
        }
        signs = [re.escape(face) for face in sorted(faces, key=len, reverse=True)]
        if runs:
            self.contents |= EMPTY_RUNS
            signs.insert(0, RUN)
        if water:
            self.contents[WATER] = (VOID,)
            signs.insert(0, WATER)
        self.pattern = re.compile("|".join(signs))

    def read(self, text: str) -> list[int]:
        """The contents of a row's squares, VOID for a lake; raises UnreadableRow."""
        signs: list[str] = self.pattern.findall(text)
        if sum(map(len, signs)) < len(text):
            raise UnreadableRow(self._unread(text)[:10])
        return [content for sign in signs for content in self.contents[sign]]

    def _unread(self, text: str) -> str:
        """A text from its first unreadable sign on."""
        start = 0
        while match := self.pattern.match(text, start):
            start = match.end()
        return text[start:]


def typed_rows(text: str) -> str:
    """A set-up text as somebody typed or pasted it, with the signs of the notation."""
    return typed_text.plain_lines(text.replace("\r\n", "\n").translate(TYPED_SIGNS))


def write_row(texts: Iterable[str]) -> str:
    """The row of some squares' texts; "" is an empty square."""
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
