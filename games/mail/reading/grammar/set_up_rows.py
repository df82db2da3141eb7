"""Parses one row of a set-up block: a line of the board in an e-mail, filled in by the player."""

import re
from dataclasses import dataclass

from games.mail.reading.grammar.line_cleaning import normalize
from games.mail.reading.grammar.vocabulary import Vocabulary
from lib.spelling.surrounding_marks import MAX_LAYERS, QUOTATION_MARKS

EMPTY = ".-_–—·"
TILE_FIGURES = "0123456"
MIN_SHORT_WORDS = 5  # a row of three squares, with its number at both ends

MARKS = re.compile(r"^\s{0,4}(?:[A-Za-z]{0,3}>\s?)+")
AROUND = f"*{QUOTATION_MARKS}"
CLOSING = re.compile(r"(?<=\S)[,;]$")
FRAME = re.compile(r"[|│\[\]`]")
NUMBER = re.compile(r"([1-9][0-9]?)[.:)]?")
# A cell of a board that is drawn during the match.
BOARD_CELL = re.compile(r"[A-Za-z0-9.?~!'*,+_–—·-]{1,5}")
CELL = re.compile(r"[A-Za-z.?~][!'*,]?")
RUN = re.compile("[0-9]+")
NUMERIC_RANKS = re.compile("[1-9._·]+")  # of the Chinese edition; with dashes it is a date


@dataclass(frozen=True)
class Row:
    """A line that may be a row: words, with the row number first, last, at both ends or missing."""

    words: tuple[str, ...]

    def numbers(self, place: str) -> int | None:
        """The row number, if it is at `place`: "start", "end" or "both"; else None."""
        first, last = NUMBER.fullmatch(self.words[0]), NUMBER.fullmatch(self.words[-1])
        if place == "both":
            return int(first[1]) if first and last and first[1] == last[1] else None
        number = first if place == "start" else last
        return int(number[1]) if number else None

    def cells(self, place: str) -> str:
        """The cells of the row, if its number is at `place`: "start", "end", "both" or "none"."""
        start = 1 if place in ("start", "both") else 0
        end = len(self.words) - (place in ("end", "both"))
        return "".join(self.words[start:end]).upper()


def read_row(text: str, vocabulary: Vocabulary, *, quoted: bool) -> Row | None:
    """The line as a row of a board: set up, empty or drawn during the match; else None."""
    if quoted:
        text = MARKS.sub("", text)
    words = tuple(FRAME.sub(" ", _bare(normalize(text))).split())
    if not words:
        return None
    if len(words) >= vocabulary.widths[0]:
        return Row(words) if all(map(_may_be_drawn, words)) else None
    row = Row(words)
    is_row = any(is_filled(row.cells(place), vocabulary) for place in PLACES) or any(
        map(vocabulary.nearly_a_row.match, words)
    )
    return row if is_row else None


def _bare(text: str) -> str:
    """The line without surrounding emphasis or quotation marks and trailing punctuation."""
    text = CLOSING.sub("", text)
    for _ in range(MAX_LAYERS):
        if len(text) < 2 or text[0] not in AROUND or text[-1] not in AROUND:
            break
        text = CLOSING.sub("", text[1:-1].strip())
    return text


def is_short_row(text: str, vocabulary: Vocabulary, *, quoted: bool) -> bool:
    """Whether it is a short row of a cross-shaped board, as in Assaut."""
    if quoted:
        text = MARKS.sub("", text)
    words = normalize(text).split()
    if not MIN_SHORT_WORDS <= len(words) < vocabulary.widths[0] or words[0] != words[-1]:
        return False
    return bool(NUMBER.fullmatch(words[0])) and all(map(CELL.fullmatch, words[1:-1]))


def _may_be_drawn(word: str) -> bool:
    return bool(BOARD_CELL.fullmatch(word) or NUMBER.fullmatch(word))


PLACES = ("both", "start", "end", "none")


def read_files(text: str, vocabulary: Vocabulary, *, quoted: bool) -> str:
    """The file letters, from left to right, if the line has nothing else; else ""."""
    if quoted:
        text = MARKS.sub("", text)
    words = normalize(text).lower().split()
    letters = "".join(words)
    least, most = vocabulary.widths[0], vocabulary.widths[-1] + 1
    if len(words) != len(letters) or not least <= len(words) <= most:
        return ""
    ordered = "abcdefghijkl"[: len(words)]
    return letters if letters in (ordered, ordered[::-1]) else ""


def is_filled(cells: str, vocabulary: Vocabulary) -> bool:
    """Whether the cells are pieces and empty squares, or tiles, of some game."""
    if is_tiles(cells, vocabulary):
        return True
    if is_empty(cells) or not set(cells) - vocabulary.signs <= set(EMPTY):
        return False
    if not has_letters(cells) and not NUMERIC_RANKS.fullmatch(cells):
        return False
    return len(cells) in vocabulary.widths or width(cells) in vocabulary.widths


def is_tiles(cells: str, vocabulary: Vocabulary) -> bool:
    """Whether the cells are digits of domino tiles, about as many as a row has."""
    return len(cells) in vocabulary.tile_lengths and set(cells) <= set(TILE_FIGURES)


def is_whole(cells: str, vocabulary: Vocabulary) -> bool:
    """Whether a row of digits has full length, so that no digit is the row number."""
    digits = sum(cell.isdigit() for cell in cells)
    if len(cells) == vocabulary.tile_figures:
        return is_tiles(cells, vocabulary)
    return len(cells) == vocabulary.numbered_files and digits > vocabulary.numbered_files // 2


def has_letters(cells: str) -> bool:
    """Whether a row has a piece written as a letter."""
    return any(cell.isalpha() for cell in cells)


def is_empty(cells: str) -> bool:
    """Whether a row has empty squares only."""
    return set(cells) <= set(EMPTY)


def width(cells: str) -> int:
    """The width of a row whose digits are runs of empty squares."""
    return len(RUN.sub("", cells)) + sum(int(run[:3]) for run in RUN.findall(cells))
