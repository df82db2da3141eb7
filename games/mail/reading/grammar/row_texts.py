"""Set-ups on one line, as docs/records.md has them: rows with slashes between them."""

import re

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.words import SETUP_WORDS, any_of

MIN_CHARACTERS = 20  # of the shortest that any game could have; a date or a path has fewer or other
PREFIX = re.compile(f"{any_of(SETUP_WORDS)} ?:? ?", re.IGNORECASE)
ROWS = re.compile(r"[A-Z0-9.]{3,24}(?:/[A-Z0-9.]{1,24}){2,4}")
# Letters of all armies, figures of tiles, and runs of empty squares. One row may be otherwise: the
# rules say what is wrong with it. Where several are, the text is a path or a date.
PIECES = re.compile("[MGCJKLSERYBFVPIA0-9.]+")
RUN = re.compile("[0-9]+")
MIN_FILES = 7


def read_row_text(text: str) -> Command | None:
    """The set-up that a text with slashes is."""
    if prefix := PREFIX.match(text):
        text = text[prefix.end() :]
    text = text.replace(" ", "").upper()
    if len(text) < MIN_CHARACTERS or not ROWS.fullmatch(text):
        return None
    rows = tuple(text.split("/"))
    if not _are_of_one_width([row for row in rows if PIECES.fullmatch(row)], len(rows) - 1):
        return None
    return Command(Verb.SETUP, rows=rows)


def _are_of_one_width(rows: list[str], at_least: int) -> bool:
    """Whether so many rows are equally wide, their figures being runs or pieces."""
    widths = [{len(row), _width_with_runs(row)} for row in rows]
    return any(
        sum(width in possible for possible in widths) >= at_least
        for width in set().union(*widths)
        if width >= MIN_FILES
    )


def _width_with_runs(row: str) -> int:
    return len(RUN.sub("", row)) + sum(int(run) for run in RUN.findall(row))
