"""Reads a line of a message: one command, or else prose that asks for nothing."""

import re
from collections.abc import Sequence
from dataclasses import replace

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.moves import read_move, read_starred_huff
from games.mail.reading.grammar.phrases import read_free_text, read_phrase
from games.mail.reading.grammar.row_texts import read_row_text
from games.mail.reading.grammar.signs import (
    MAX_COMMAND_CHARACTERS,
    MAX_LINE_CHARACTERS,
    closed,
    opened,
    plain,
)
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.grammar.words import ASKED, BY_WORD, MATCH_WORDS, any_of

OF_MATCH = re.compile(
    rf"(?:{any_of(MATCH_WORDS)} ?)?#?([1-9][0-9]{{0,8}}) ?: ?(?=\D)", re.IGNORECASE
)
LONG_LINE_CHARACTERS = 60
FIRST_COLUMN, LAST_COLUMN = 68, 80  # where mail programs break lines


def is_command(line: str, known: Vocabulary) -> bool:
    """Whether a line, standing by itself, would be taken for a command."""
    return read_line(line, known) is not None


def read_line(line: str, known: Vocabulary) -> Command | None:
    """The command that fills a line; None is prose."""
    # A note without an end is one still, and is refused as too long.
    text = plain(line[:MAX_LINE_CHARACTERS], MAX_LINE_CHARACTERS)
    if not text:
        return None
    if found := OF_MATCH.match(opened(text)):
        command = _read(opened(text)[found.end() :], known)
        return command and replace(command, match=int(found[1]))
    return _read(text, known)


def read_lines(
    lines: Sequence[str | None], physical: Sequence[str] | None, known: Vocabulary
) -> list[Command]:
    """The commands among lines; None is a line that is quoted.

    What a mail program broke off a note belongs to it; broken off anything else, it is nothing.
    `physical` are all lines of a text as it came, or None where nothing was wrapped (HTML).
    """
    commands: list[Command] = []
    noted = -1  # the last line of the note that was read last
    for number, line in enumerate(lines):
        if line is None:
            continue
        if physical and number and _is_broken_off(line, physical[number - 1], lines[number - 1]):
            if noted == number - 1 and line.strip():
                commands[-1], noted = _with_more(commands[-1], line), number
            continue
        if command := read_line(line, known):
            commands.append(replace(command, line=number))
            noted = number if command.verb is Verb.NOTE else noted
    return commands


def _is_broken_off(line: str, before: str, own_before: str | None) -> bool:
    """Whether a line is what a mail program broke off the long one that it follows closely."""
    width = len(before.rstrip())
    if width <= LONG_LINE_CHARACTERS:
        return False
    if own_before is not None:
        return True
    # An answer may stand close below a quotation. What was broken off that did not fit there, and
    # a line that is longer than any program leaves it, an address say, was not broken.
    word = line.split(maxsplit=1)[0] if line.strip() else ""
    return width <= LAST_COLUMN and width + 1 + len(word) > FIRST_COLUMN


def _with_more(note: Command, line: str) -> Command:
    longer = f"{note.argument} {plain(line, MAX_LINE_CHARACTERS)}"
    return replace(note, argument=longer[:MAX_LINE_CHARACTERS].strip())


def _read(text: str, known: Vocabulary) -> Command | None:
    if len(text) > MAX_COMMAND_CHARACTERS:
        return read_free_text(opened(text))
    # A second star closes the emphasis that the first one opened.
    if text.count("*") == 1 and (command := read_starred_huff(closed(text))):
        return command
    if command := read_free_text(opened(text)):
        return command
    text = closed(opened(text))
    return (
        _read_word(text.casefold())
        or read_move(text, known)
        or read_row_text(text, known)
        or read_phrase(text, known)
    )


def _read_word(text: str) -> Command | None:
    text = text.casefold()
    word = text.removesuffix("?").rstrip()
    verb = BY_WORD.get(word)
    return Command(verb) if verb and (word == text or verb in ASKED) else None
