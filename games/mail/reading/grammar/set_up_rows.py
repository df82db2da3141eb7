"""Rows of a set-up block: one line of the board that an e-mail draws, filled in by its reader."""

import re
from dataclasses import dataclass

from games.mail.reading.grammar.signs import MAX_LAYERS, QUOTATION_MARKS, plain
from games.mail.reading.grammar.vocabulary import Vocabulary

EMPTY = ".-_–—·"
TILE_FIGURES = "0123456"
MIN_SHORT = 5  # words of a row of three squares, with its number at either end

MARKS = re.compile(r"^\s{0,4}(?:[A-Za-z]{0,3}>\s?)+")
AROUND = f"*{QUOTATION_MARKS}"
CLOSING = re.compile(r"(?<=\S)[,;]$")
FRAME = re.compile(r"[|│\[\]`]")
NUMBER = re.compile(r"([1-9][0-9]?)[.:)]?")
# What stands on a board that is drawn during the match, and in no set-up.
DRAWN = re.compile(r"[A-Za-z0-9.?~!'*,+_–—·-]{1,4}")
CELL = re.compile(r"[A-Za-z.?~][!'*,]?")
RUN = re.compile("[0-9]+")
COUNTED = re.compile("[1-9._·]+")  # ranks of the Chinese edition; with dashes it is a date


@dataclass(frozen=True)
class Row:
    """A line that may be a row: its words, which may begin or end with the row's number."""

    words: tuple[str, ...]

    def numbers(self, place: str) -> int | None:
        """The row's number, if it is written at the "start", the "end" or "both" places."""
        first, last = NUMBER.fullmatch(self.words[0]), NUMBER.fullmatch(self.words[-1])
        if place == "both":
            return int(first[1]) if first and last and first[1] == last[1] else None
        found = first if place == "start" else last
        return int(found[1]) if found else None

    def cells(self, place: str) -> str:
        """What the row holds, where its number is at some place or "none"."""
        start = 1 if place in ("start", "both") else 0
        end = len(self.words) - (place in ("end", "both"))
        return "".join(self.words[start:end]).upper()


def read_row(text: str, known: Vocabulary, *, quoted: bool) -> Row | None:
    """The line as a row of a board, whether set up, empty or drawn during the match."""
    if quoted:
        text = MARKS.sub("", text)
    words = tuple(FRAME.sub(" ", _bare(plain(text))).split())
    if not words:
        return None
    if len(words) >= known.widths[0]:
        return Row(words) if all(map(_may_be_drawn, words)) else None
    row = Row(words)
    is_row = any(is_filled(row.cells(place), known) for place in PLACES) or any(
        map(known.nearly_a_row.match, words)
    )
    return row if is_row else None


def _bare(text: str) -> str:
    """The line without emphasis or quotation marks around it, and without what closes a clause."""
    text = CLOSING.sub("", text)
    for _ in range(MAX_LAYERS):
        if len(text) < 2 or text[0] not in AROUND or text[-1] not in AROUND:
            break
        text = CLOSING.sub("", text[1:-1].strip())
    return text


def is_short_row(text: str, known: Vocabulary, *, quoted: bool) -> bool:
    """Whether it is a row of a board that is narrower there, as a fortress's arms are."""
    if quoted:
        text = MARKS.sub("", text)
    words = plain(text).split()
    if not MIN_SHORT <= len(words) < known.widths[0] or words[0] != words[-1]:
        return False
    return bool(NUMBER.fullmatch(words[0])) and all(map(CELL.fullmatch, words[1:-1]))


def _may_be_drawn(word: str) -> bool:
    return bool(DRAWN.fullmatch(word) or NUMBER.fullmatch(word))


PLACES = ("both", "start", "end", "none")


def read_files(text: str, known: Vocabulary, *, quoted: bool) -> str:
    """The file letters that a line holds and nothing else, from left to right."""
    if quoted:
        text = MARKS.sub("", text)
    words = plain(text).lower().split()
    letters = "".join(words)
    least, most = known.widths[0], known.widths[-1] + 1
    if len(words) != len(letters) or not least <= len(words) <= most:
        return ""
    ordered = "abcdefghijkl"[: len(words)]
    return letters if letters in (ordered, ordered[::-1]) else ""


def is_filled(cells: str, known: Vocabulary) -> bool:
    """Whether the content of a row is pieces and empty squares of some game, or its tiles."""
    if is_tiles(cells, known):
        return True
    if is_empty(cells) or not set(cells) - known.signs <= set(EMPTY):
        return False
    if not has_letters(cells) and not COUNTED.fullmatch(cells):
        return False
    return len(cells) in known.widths or width(cells) in known.widths


def is_tiles(cells: str, known: Vocabulary) -> bool:
    """Whether a row holds figures of dominoes, or as many as such a row could have."""
    return len(cells) in known.tile_lengths and set(cells) <= set(TILE_FIGURES)


def is_whole(cells: str, known: Vocabulary) -> bool:
    """Whether a row of figures is as long as it should be, so that none of them is its number."""
    figures = sum(cell.isdigit() for cell in cells)
    if len(cells) == known.tile_figures:
        return is_tiles(cells, known)
    return len(cells) == known.numbered_files and figures > known.numbered_files // 2


def has_letters(cells: str) -> bool:
    """Whether a row holds a piece that is a letter."""
    return any(cell.isalpha() for cell in cells)


def is_empty(cells: str) -> bool:
    """Whether a row holds nothing."""
    return set(cells) <= set(EMPTY)


def width(cells: str) -> int:
    """The files of a row whose figures are runs of empty squares."""
    return len(RUN.sub("", cells)) + sum(int(run[:3]) for run in RUN.findall(cells))
