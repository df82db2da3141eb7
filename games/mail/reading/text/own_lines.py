"""Splits text into lines and marks which ones the sender wrote, not quotations and signatures.

This need not be right for every mail program. No line of our e-mails is a command, so a quotation
that is taken for the sender's own text does nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from games.mail.reading.grammar.line_cleaning import MAX_LINE_CHARACTERS
from games.mail.reading.text.quotation_headers import quotation_header_start

MAX_LINES = 4_000  # of a message, all its parts together
MAX_OWN_CHARACTERS = 300

LINE_BREAK = re.compile("\r\n|[\n\r\u0085\u2028\u2029]")
NO_BREAK_SPACE = "&nbsp;"  # QQ writes it into plain text
MARK = re.compile(r"\s{0,4}[A-Za-z]{0,3}>")
UNDERSCORE_LINE = re.compile(r"\s*_{8,}\s*")
ORIGINAL = re.compile(r"\s*-{3,}\s*(?P<words>[^\s\d-][^\d]{0,60}?)\s*-{3,}\s*")
BEGIN_SIGNED = "BEGIN PGP SIGNED MESSAGE"
SIGNATURE = "--"


@dataclass(frozen=True)
class Line:
    """A line of a message; a long one is cut one character after the limit of a command."""

    text: str
    is_own: bool = True


def split(text: str, max_lines: int = MAX_LINES) -> list[Line]:
    """Split a text into lines, at most `max_lines`."""
    lines: list[Line] = []
    place = 0
    while place <= len(text) and len(lines) < max_lines:
        line_break = LINE_BREAK.search(text, place)
        end = line_break.start() if line_break else len(text)
        line = text[place : min(end, place + len(NO_BREAK_SPACE) * MAX_LINE_CHARACTERS)]
        if len(line) == end - place:
            line = line.replace(NO_BREAK_SPACE, " ")
        lines.append(Line(line[: MAX_LINE_CHARACTERS + 1]))
        if not line_break:
            break
        place = line_break.end()
    return lines


def without_quotations(lines: Sequence[Line]) -> list[Line]:
    """The lines, with quoted ones and everything below the sender's text marked as not own."""
    marked = [replace(line, is_own=False) if MARK.match(line.text) else line for line in lines]
    end = _end_of_own(marked)
    return [*marked[:end], *(replace(line, is_own=False) for line in marked[end:])]


def own_texts(lines: Iterable[Line]) -> tuple[str, ...]:
    """The texts of the lines that the sender wrote."""
    return tuple(line.text[:MAX_OWN_CHARACTERS].strip() for line in lines if line.is_own)


def _end_of_own(lines: Sequence[Line]) -> int:
    header = quotation_header_start([line.text if line.is_own else "" for line in lines])
    for number, line in enumerate(lines[:header]):
        if line.is_own and _ends_own_text(line.text):
            return number
    return header


def _ends_own_text(text: str) -> bool:
    if text.rstrip() == SIGNATURE or UNDERSCORE_LINE.fullmatch(text):
        return True
    original = ORIGINAL.fullmatch(text)
    return bool(original and original["words"] != BEGIN_SIGNED)
