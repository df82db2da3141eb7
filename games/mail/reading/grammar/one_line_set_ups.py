"""Parses set-ups on one line, in the notation of docs/records.md: rows separated by slashes."""

import re

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.command_words import SETUP_WORDS
from games.mail.reading.grammar.vocabulary import Vocabulary
from lib.spelling.moves import any_of

PREFIX = re.compile(f"{any_of(SETUP_WORDS)} ?:? ?", re.IGNORECASE)
RUN = re.compile("[0-9]+")


def read_row_text(text: str, vocabulary: Vocabulary) -> Command | None:
    """The set-up that fills a text; None otherwise.

    One row may contain characters that are no pieces, so that the rules can say what is wrong. If
    several do, the text is a path or a date.
    """
    if prefix := PREFIX.match(text):
        text = text[prefix.end() :]
    text = text.replace(" ", "").upper()
    if len(text) < vocabulary.min_characters or not vocabulary.row_text.fullmatch(text):
        return None
    rows = tuple(text.split("/"))
    of_pieces = [row for row in rows if vocabulary.in_row_text.fullmatch(row)]
    if not _are_of_one_width(of_pieces, len(rows) - 1, vocabulary.widths[0]):
        return None
    return Command(Verb.SETUP, rows=rows)


def _are_of_one_width(rows: list[str], at_least: int, min_files: int) -> bool:
    """Whether at least so many rows have equal width, with digits as runs or as pieces."""
    widths = [{len(row), _width_with_runs(row)} for row in rows]
    return any(
        sum(width in possible for possible in widths) >= at_least
        for width in set().union(*widths)
        if width >= min_files
    )


def _width_with_runs(row: str) -> int:
    return len(RUN.sub("", row)) + sum(int(run) for run in RUN.findall(row))
