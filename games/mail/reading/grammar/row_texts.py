"""Set-ups on one line, as docs/records.md has them: rows with slashes between them."""

import re

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.grammar.words import SETUP_WORDS, any_of

PREFIX = re.compile(f"{any_of(SETUP_WORDS)} ?:? ?", re.IGNORECASE)
RUN = re.compile("[0-9]+")


def read_row_text(text: str, known: Vocabulary) -> Command | None:
    """The set-up that a text with slashes is.

    One row may hold what is no piece: the rules say what is wrong with it. Where several do, the
    text is a path or a date.
    """
    if prefix := PREFIX.match(text):
        text = text[prefix.end() :]
    text = text.replace(" ", "").upper()
    if len(text) < known.min_characters or not known.row_text.fullmatch(text):
        return None
    rows = tuple(text.split("/"))
    of_pieces = [row for row in rows if known.in_row_text.fullmatch(row)]
    if not _are_of_one_width(of_pieces, len(rows) - 1, known.widths[0]):
        return None
    return Command(Verb.SETUP, rows=rows)


def _are_of_one_width(rows: list[str], at_least: int, min_files: int) -> bool:
    """Whether so many rows are equally wide, their figures being runs or pieces."""
    widths = [{len(row), _width_with_runs(row)} for row in rows]
    return any(
        sum(width in possible for possible in widths) >= at_least
        for width in set().union(*widths)
        if width >= min_files
    )


def _width_with_runs(row: str) -> int:
    return len(RUN.sub("", row)) + sum(int(run) for run in RUN.findall(row))
