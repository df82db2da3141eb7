"""Vocabulary of games: what the grammar has to be told of the games that are played here.

It comes with each message, since the reader knows no game (game_vocabulary.py).
"""

import re
from dataclasses import dataclass
from functools import cached_property

MIN_FILLED_SHARE = 3, 4  # of the smallest army, in a text that is a set-up however wrong


@dataclass(frozen=True)
class Vocabulary:
    """Of all games together, and of set-ups those that are written as rows.

    `files` and `rows` are the least and the most that a set-up has, `pieces` the signs that stand
    for pieces in it, `army` the pieces of the smallest army. `tile_figures` are the figures of a
    row of tiles, `numbered_files` the files of one whose ranks are numbers; 0 where there is none.
    `points` are the squares on which pieces are set up one by one.
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
        """A regular expression for the name of a game or of an edition, in small letters."""
        names = sorted(self.names, key=len, reverse=True)
        return f"(?:{'|'.join(map(re.escape, names))})[a-z0-9-]*"

    @cached_property
    def widths(self) -> range:
        """The files of a row that may be meant: one less than there are, or one more, is told."""
        least, most = self.files
        return range(least - 1, most + 2)

    @cached_property
    def heights(self) -> range:
        """The rows that may be meant; with one more the rules say so."""
        least, most = self.rows
        return range(least, most + 2)

    @cached_property
    def signs(self) -> frozenset[str]:
        """The signs of pieces and the figures that a row may hold."""
        return frozenset(self.pieces + "0123456789")

    @cached_property
    def min_characters(self) -> int:
        """Of a set-up on one line; a date or a path has fewer or other."""
        part, whole = MIN_FILLED_SHARE
        return self.army * part // whole

    @cached_property
    def in_row_text(self) -> re.Pattern[str]:
        """A row of a set-up on one line: pieces, and runs of empty squares."""
        return re.compile(f"[{re.escape(self.pieces)}0-9.]+")

    @cached_property
    def row_text(self) -> re.Pattern[str]:
        """A whole set-up on one line."""
        further = f"{self.heights[0] - 1},{self.heights[-1] - 1}"
        return re.compile(rf"[A-Z0-9.]{{3,24}}(?:/[A-Z0-9.]{{1,24}}){{{further}}}")

    @cached_property
    def nearly_a_row(self) -> re.Pattern[str]:
        """A row in capitals with a letter that is no piece: the rules say which."""
        return re.compile(rf"(?=.*[A-Z])[A-Z0-9._·-]{{{self.widths[0] + 1},{self.widths[-1]}}}$")

    @cached_property
    def two_points(self) -> re.Pattern[str] | None:
        """Two squares on which pieces are set up, and next to anything between them."""
        if not self.points:
            return None
        point = f"(?:{'|'.join(self.points)})"
        return re.compile(rf"(?P<one>{point}) ?(?:[,/&+]|and|und|et|和) ?(?P<other>{point})")

    @cached_property
    def tile_lengths(self) -> range:
        """The figures that a row of tiles may have; one tile more or less is told."""
        return (
            range(self.tile_figures - 2, self.tile_figures + 3) if self.tile_figures else range(0)
        )
