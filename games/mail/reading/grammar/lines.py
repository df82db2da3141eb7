"""Lines: each is one command or prose."""

import re
from dataclasses import replace

from games.mail.reading.commands import Command
from games.mail.reading.grammar.moves import read_move, read_starred_blow
from games.mail.reading.grammar.phrases import read_free_text, read_phrase
from games.mail.reading.grammar.row_texts import read_row_text
from games.mail.reading.grammar.signs import closed, opened, plain
from games.mail.reading.grammar.words import ASKED, BY_WORD, MATCH_WORDS, any_of

OF_MATCH = re.compile(
    rf"(?:{any_of(MATCH_WORDS)} ?)?#?([1-9][0-9]{{0,8}}) ?: ?(?=\D)", re.IGNORECASE
)


def is_command(line: str) -> bool:
    """Whether a line, standing by itself, would be taken for a command."""
    return read_line(line) is not None


def read_line(line: str) -> Command | None:
    """The command that fills a line; None is prose."""
    text = plain(line)
    if not text:
        return None
    if found := OF_MATCH.match(opened(text)):
        command = _read(opened(text)[found.end() :])
        return command and replace(command, match=int(found[1]))
    return _read(text)


def _read(text: str) -> Command | None:
    # A second star closes the emphasis that the first one opened.
    if text.count("*") == 1 and (command := read_starred_blow(closed(text))):
        return command
    if command := read_free_text(opened(text)):
        return command
    text = closed(opened(text))
    return (
        _read_word(text.casefold()) or read_move(text) or read_row_text(text) or read_phrase(text)
    )


def _read_word(text: str) -> Command | None:
    text = text.casefold()
    word = text.removesuffix("?").rstrip()
    verb = BY_WORD.get(word)
    return Command(verb) if verb and (word == text or verb in ASKED) else None
