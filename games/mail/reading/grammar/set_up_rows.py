"""Rows of a set-up block: one line of the board that an e-mail draws, filled in by its reader."""

import re
from dataclasses import dataclass

from games.mail.reading.grammar.signs import QUOTATION_MARKS, plain

EMPTY = ".-_–—·"
PIECES = frozenset("MGCJKLSERYBFVPIA0123456789")
NARROWEST, WIDEST = 7, 12  # files of a board, and what somebody may write instead
MIN_SHORT = 5  # words of a row of three squares, with its number at either end
FIGURES_OF_TILES = range(14, 19)
WHOLE_TILES, WHOLE_RANKS = 16, 10  # signs of a row whose pieces are tiles, or ranks in figures

MARKS = re.compile(r"^\s{0,4}(?:[A-Za-z]{0,3}>\s?)+")
AROUND = f"*{QUOTATION_MARKS}"
CLOSING = re.compile(r"(?<=\S)[,;]$")
FRAME = re.compile(r"[|│\[\]`]")
NUMBER = re.compile(r"([1-9][0-9]?)[.:)]?")
# What stands on a board that is drawn during the match, and in no set-up.
DRAWN = re.compile(r"[A-Za-z0-9.?~!'*,+_–—·-]{1,4}")
CELL = re.compile(r"[A-Za-z.?~][!'*,]?")
# A row in capitals with a letter that is no piece: the rules say which.
NEARLY = re.compile(r"(?=.*[A-Z])[A-Z0-9._·-]{8,11}$")
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


def read_row(text: str, *, quoted: bool) -> Row | None:
    """The line as a row of a board, whether set up, empty or drawn during the match."""
    if quoted:
        text = MARKS.sub("", text)
    words = tuple(FRAME.sub(" ", _bare(plain(text))).split())
    if not words:
        return None
    if len(words) >= NARROWEST:
        return Row(words) if all(map(_may_be_drawn, words)) else None
    row = Row(words)
    is_row = any(is_filled(row.cells(place)) for place in PLACES) or any(map(NEARLY.match, words))
    return row if is_row else None


def _bare(text: str) -> str:
    """The line without emphasis or quotation marks around it, and without what closes a clause."""
    text = CLOSING.sub("", text)
    while len(text) > 1 and text[0] in AROUND and text[-1] in AROUND:
        text = CLOSING.sub("", text[1:-1].strip())
    return text


def is_short_row(text: str, *, quoted: bool) -> bool:
    """Whether it is a row of a board that is narrower there, as a fortress's arms are."""
    if quoted:
        text = MARKS.sub("", text)
    words = plain(text).split()
    if not MIN_SHORT <= len(words) < NARROWEST or words[0] != words[-1]:
        return False
    return bool(NUMBER.fullmatch(words[0])) and all(map(CELL.fullmatch, words[1:-1]))


def _may_be_drawn(word: str) -> bool:
    return bool(DRAWN.fullmatch(word) or NUMBER.fullmatch(word))


PLACES = ("both", "start", "end", "none")


def read_files(text: str, *, quoted: bool) -> str:
    """The file letters that a line holds and nothing else, from left to right."""
    if quoted:
        text = MARKS.sub("", text)
    words = plain(text).lower().split()
    letters = "".join(words)
    if len(words) != len(letters) or not NARROWEST <= len(words) <= WIDEST:
        return ""
    ordered = "abcdefghijkl"[: len(words)]
    return letters if letters in (ordered, ordered[::-1]) else ""


def is_filled(cells: str) -> bool:
    """Whether the content of a row is pieces and empty squares of some game, or its tiles."""
    if is_tiles(cells):
        return True
    if is_empty(cells) or not set(cells) <= PIECES | set(EMPTY):
        return False
    if not has_letters(cells) and not COUNTED.fullmatch(cells):
        return False
    return bool({len(cells), width(cells)} & set(range(NARROWEST, WIDEST)))


def is_tiles(cells: str) -> bool:
    """Whether a row holds figures of dominoes, or as many as such a row could have."""
    return len(cells) in FIGURES_OF_TILES and set(cells) <= set("0123456")


def is_whole(cells: str) -> bool:
    """Whether a row of figures is as long as it should be, so that none of them is its number."""
    figures = sum(cell.isdigit() for cell in cells)
    if len(cells) == WHOLE_TILES:
        return is_tiles(cells)
    return len(cells) == WHOLE_RANKS and figures > WHOLE_RANKS // 2


def has_letters(cells: str) -> bool:
    """Whether a row holds a piece that is a letter."""
    return any(cell.isalpha() for cell in cells)


def is_empty(cells: str) -> bool:
    """Whether a row holds nothing."""
    return set(cells) <= set(EMPTY)


def width(cells: str) -> int:
    """The files of a row whose figures are runs of empty squares."""
    return len(RUN.sub("", cells)) + sum(int(run[:3]) for run in RUN.findall(cells))
