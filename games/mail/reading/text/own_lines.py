"""Lines of a text, and which of them are the writer's own: quotations and signatures are not.

Nothing here need be right about every mail program. No line of an e-mail of ours is a command, so a
quotation that is taken for the writer's own words does nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from games.mail.reading.grammar.signs import MAX_LINE_CHARACTERS
from games.mail.reading.text.header_labels import first_label_block

MAX_LINES = 4_000
MAX_OWN_CHARACTERS = 300

LINE_BREAK = re.compile("\r\n|[\n\r\u0085\u2028\u2029]")
NO_BREAK_SPACE = "&nbsp;"  # which QQ writes into its plain text
MARK = re.compile(r"\s{0,4}[A-Za-z]{0,3}>")
UNDERSCORES = re.compile(r"\s*_{8,}\s*")
ORIGINAL = re.compile(r"\s*-{3,}\s*(?P<words>[^\s\d-][^\d]{0,60}?)\s*-{3,}\s*")
BEGIN_SIGNED = "BEGIN PGP SIGNED MESSAGE"
SIGNATURE = "--"


@dataclass(frozen=True)
class Line:
    """A line of a message. One that is too long for a command is cut a character behind that."""

    text: str
    is_own: bool = True


def split(text: str) -> list[Line]:
    """The lines of a text."""
    lines: list[Line] = []
    place = 0
    while place <= len(text) and len(lines) < MAX_LINES:
        found = LINE_BREAK.search(text, place)
        end = found.start() if found else len(text)
        line = text[place : min(end, place + len(NO_BREAK_SPACE) * MAX_LINE_CHARACTERS)]
        if len(line) == end - place:
            line = line.replace(NO_BREAK_SPACE, " ")
        lines.append(Line(line[: MAX_LINE_CHARACTERS + 1]))
        if not found:
            break
        place = found.end()
    return lines


def without_quotations(lines: Sequence[Line]) -> list[Line]:
    """The lines with those that are quoted, or stand below the writer's words, marked as such."""
    marked = [replace(line, is_own=False) if MARK.match(line.text) else line for line in lines]
    end = _end_of_own(marked)
    return [*marked[:end], *(replace(line, is_own=False) for line in marked[end:])]


def own(lines: Iterable[Line]) -> tuple[str, ...]:
    """The writer's own lines."""
    return tuple(line.text[:MAX_OWN_CHARACTERS].strip() for line in lines if line.is_own)


def _end_of_own(lines: Sequence[Line]) -> int:
    labelled = first_label_block([line.text if line.is_own else "" for line in lines])
    for number, line in enumerate(lines[:labelled]):
        if line.is_own and _ends_own_text(line.text):
            return number
    return labelled


def _ends_own_text(text: str) -> bool:
    if text.rstrip() == SIGNATURE or UNDERSCORES.fullmatch(text):
        return True
    original = ORIGINAL.fullmatch(text)
    return bool(original and original["words"] != BEGIN_SIGNED)
