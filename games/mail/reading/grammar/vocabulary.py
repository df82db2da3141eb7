"""Vocabulary: names, pieces and set-up sizes of the games, which the grammar needs.

It is passed in with each message, since the reader does not import the games (game_vocabulary.py).
"""

import re
from dataclasses import dataclass
from functools import cached_property

MIN_FILLED_SHARE = 3, 4  # of the smallest army; a text with less is not taken for a set-up


@dataclass(frozen=True)
class Vocabulary:
    """What the grammar needs to know of all games together.

    `names`: names of games. `files`, `rows`: minimum and maximum of a set-up that is written as
    rows. `pieces`: the characters of its pieces. `army`: the size of the smallest army.
    `tile_figures`: digits in a row of tiles; 0 if there is no such game. `numbered_files`: files of
    a set-up whose ranks are numbers. `points`: squares on which pieces are set up one by one.
    """

    names: tuple[str, ...]
    files: tuple[int, int]
    rows: tuple[int, int]
    pieces: str
    army: int
    tile_figures: int = 0
    numbered_files: int = 0
    points: tuple[str, ...] = ()

    @cached_property
    def game(self) -> str:
        """A regular expression for the lowercase name of a game or an edition."""
        names = sorted(self.names, key=len, reverse=True)
        return f"(?:{'|'.join(map(re.escape, names))})[a-z0-9-]*"

    @cached_property
    def widths(self) -> range:
        """Accepted widths of a row; one too few or too many is parsed, so that the rules say so."""
        minimum, maximum = self.files
        return range(minimum - 1, maximum + 2)

    @cached_property
    def heights(self) -> range:
        """Accepted numbers of rows; one too many is parsed, so that the rules say so."""
        minimum, maximum = self.rows
        return range(minimum, maximum + 2)

    @cached_property
    def signs(self) -> frozenset[str]:
        """The characters that a row may contain: pieces and digits."""
        return frozenset(self.pieces + "0123456789")

    @cached_property
    def min_characters(self) -> int:
        """The minimum length of a set-up on one line, longer than a date or most paths."""
        part, whole = MIN_FILLED_SHARE
        return self.army * part // whole

    @cached_property
    def in_row_text(self) -> re.Pattern[str]:
        """Matches a row of a set-up on one line: pieces, and runs of empty squares."""
        return re.compile(f"[{re.escape(self.pieces)}0-9.]+")

    @cached_property
    def row_text(self) -> re.Pattern[str]:
        """Matches a whole set-up on one line."""
        separators = f"{self.heights[0] - 1},{self.heights[-1] - 1}"
        return re.compile(rf"[A-Z0-9.]{{3,24}}(?:/[A-Z0-9.]{{1,24}}){{{separators}}}")

    @cached_property
    def nearly_a_row(self) -> re.Pattern[str]:
        """Matches a row in capitals that may contain a wrong piece; the rules then name it."""
        return re.compile(rf"(?=.*[A-Z])[A-Z0-9._·-]{{{self.widths[0] + 1},{self.widths[-1]}}}$")

    @cached_property
    def two_points(self) -> re.Pattern[str] | None:
        """Matches two squares of `points`, with almost any separator; None if there are none."""
        if not self.points:
            return None
        point = f"(?:{'|'.join(self.points)})"
        return re.compile(rf"(?P<one>{point}) ?(?:[,/&+]|and|und|et|和) ?(?P<other>{point})")

    @cached_property
    def tile_lengths(self) -> range:
        """Accepted numbers of digits in a row of tiles: one tile more or less is parsed."""
        return (
            range(self.tile_figures - 2, self.tile_figures + 3) if self.tile_figures else range(0)
        )
