"""Parses a line of a message: one command, or prose, which is ignored."""

import re
from collections.abc import Sequence
from dataclasses import replace

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.argument_commands import read_free_text, read_phrase
from games.mail.reading.grammar.command_words import (
    MATCH_WORDS,
    MAY_BE_QUESTIONS,
    VERB_BY_WORD,
)
from games.mail.reading.grammar.line_cleaning import (
    MAX_COMMAND_CHARACTERS,
    MAX_LINE_CHARACTERS,
    normalize,
)
from games.mail.reading.grammar.move_syntax import read_move, read_starred_huff
from games.mail.reading.grammar.one_line_set_ups import read_row_text
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.grammar.words_to_opponent import BREAK, WRAPPED, ends_words, written_words
from games.plan_language.lines import Line, write_line
from games.plan_language.reading import mail_line
from lib.spelling.columns import columns
from lib.spelling.moves import any_of
from lib.spelling.surrounding_marks import QUOTATION_MARKS, strip_closing, strip_opening

MATCH_PREFIX = re.compile(
    rf"(?:{any_of(MATCH_WORDS)} ?)?#?([1-9][0-9]{{0,8}}) ?: ?(?=\D)", re.IGNORECASE
)
LONG_LINE_CHARACTERS = 60
# Behind a line as long as this a line of a plan is refused, since it may be the rest of a sentence.
BEFORE_PLAN_CHARACTERS = 60
# A part of a hash or signature, where a program has wrapped a proof line within: it may look like
# moves, and so may a short rest behind such a part.
HASH_CHARACTERS = 16
HEXADECIMAL = re.compile("[0-9a-f]+")
MIN_WRAP_COLUMN, MAX_WRAP_COLUMN = 68, 80  # where mail programs wrap lines
# Some wrap as early as here. Then only what looks like the end of a sentence of ours is the rest of
# a line: it has a quotation mark at an end, or a period or comma behind it.
EARLY_WRAP_COLUMN = 60
ENDS_OF_SENTENCES = frozenset(".!?…。！？")
# A Chinese character, or a word; French marks of quotation have blanks at which nothing is wrapped.
UNBROKEN = re.compile("[\u2e80-\u9fff\uff00-\uffef]|[^ \t]+")
MARKS_OF_A_REST = frozenset(f"{QUOTATION_MARKS}.,;。，")


def read_line(line: str, vocabulary: Vocabulary) -> Command | None:
    """The command that fills a line; None for prose."""
    # A cut note is still a note, and is refused as too long.
    text = normalize(line[:MAX_LINE_CHARACTERS], MAX_LINE_CHARACTERS)
    if not text:
        return None
    if prefix := MATCH_PREFIX.match(strip_opening(text)):
        command = _read(strip_opening(text)[prefix.end() :], vocabulary)
        return command and replace(command, match=int(prefix[1]))
    return _read(text, vocabulary)


def read_lines(
    lines: Sequence[str | None], physical: Sequence[str] | None, vocabulary: Vocabulary
) -> list[Command]:
    """The commands among lines; None stands for a quoted line.

    The wrapped rest of a note belongs to the note, and what follows "say" to the words to the
    opponent; the wrapped rest of any other line is ignored. A line of a plan that may be a wrapped
    rest, or may have one, is marked as `wrapped`.
    `physical` holds all lines of the text as received, or None if lines are not wrapped (HTML).
    """
    commands: list[Command] = []
    note_end = words_end = -2  # the last lines of the newest note, and of the newest words
    for number, line in enumerate(lines):
        if line is None:
            continue
        if physical and number and _follows_long_line(lines, number):
            planned = read_line(line, vocabulary)
            if planned and planned.verb is Verb.IF:
                commands.append(replace(planned, wrapped=True, line=number))
                continue
        if physical and number and _is_wrapped_rest(line, physical[number - 1], lines[number - 1]):
            if note_end == number - 1 and line.strip():
                commands[-1], note_end = _extended(commands[-1], line), number
            elif words_end == number - 1 and not ends_words(lines, number, vocabulary):
                commands[-1], words_end = _with_line(commands[-1], WRAPPED, line), number
            elif (
                line.strip()
                and commands
                and commands[-1].verb is Verb.IF
                and commands[-1].line == number - 1
            ):
                commands[-1] = _with_rest(commands[-1], lines[number - 1], line)
            continue
        if command := read_line(line, vocabulary):
            commands.append(replace(command, line=number))
            note_end = number if command.verb is Verb.NOTE else note_end
            if command.verb is Verb.SAY:
                words = written_words(line, command.argument)
                commands[-1], words_end = replace(commands[-1], argument=words), number
        elif words_end == number - 1 and not ends_words(lines, number, vocabulary):
            commands[-1], words_end = _with_line(commands[-1], BREAK, line), number
    return commands


def _is_wrapped_rest(line: str, before: str, own_before: str | None) -> bool:
    """Whether a line is the rest of the previous line, wrapped by a mail program."""
    if _is_part_of_hash(line.strip(), before.rstrip()):
        return True
    width = len(before.rstrip())
    # The rest of a wrapped line begins with a word that did not fit.
    word = line.split(maxsplit=1)[0] if line.strip() else ""
    has_no_room = bool(width) and width + 1 + len(word) > MIN_WRAP_COLUMN
    if _may_end_a_sentence(line, before):
        first = UNBROKEN.findall(line.strip(), 0, MAX_WRAP_COLUMN)[0]
        has_no_room = columns(before.rstrip()) + 1 + columns(first) > EARLY_WRAP_COLUMN
    if own_before is not None:
        return width > LONG_LINE_CHARACTERS or has_no_room
    # A reply may follow directly below a quotation. A line longer than any program's limit (a URL,
    # say) was not wrapped.
    return LONG_LINE_CHARACTERS < width <= MAX_WRAP_COLUMN and has_no_room


def _may_end_a_sentence(line: str, before: str) -> bool:
    """Whether a line looks like the end of a sentence that the line before it begins."""
    line, before = line.strip(), before.rstrip()
    if not line or not before or before[-1] in ENDS_OF_SENTENCES:
        return False
    return line[0] in QUOTATION_MARKS or line[-1] in MARKS_OF_A_REST


def _is_part_of_hash(line: str, before: str) -> bool:
    if not HEXADECIMAL.fullmatch(line):
        return False
    end = before[-HASH_CHARACTERS:]
    follows_part = len(end) == HASH_CHARACTERS and bool(HEXADECIMAL.fullmatch(end))
    return len(line) >= HASH_CHARACTERS or follows_part


def _follows_long_line(lines: Sequence[str | None], number: int) -> bool:
    """Whether a line of a plan would be refused here: right behind a long line of its writer."""
    before = lines[number - 1]
    return before is not None and len(before.rstrip()) >= BEFORE_PLAN_CHARACTERS


def _with_rest(command: Command, before: str | None, line: str) -> Command:
    """A line of a plan with a line behind it: whether that may be its rest."""
    both = mail_line(f"{before} {line}")
    return replace(command, wrapped=True) if isinstance(both, Line) else command


def _extended(note: Command, line: str) -> Command:
    longer = f"{note.argument} {normalize(line, MAX_LINE_CHARACTERS)}"
    return replace(note, argument=longer[:MAX_LINE_CHARACTERS].strip())


def _with_line(words: Command, between: str, line: str) -> Command:
    """Words to the opponent with one more line."""
    longer = f"{words.argument}{between}{line.strip()}"
    return replace(words, argument=longer[:MAX_LINE_CHARACTERS])


def _read(text: str, vocabulary: Vocabulary) -> Command | None:
    planned = mail_line(text)
    if planned and (isinstance(planned, Line) or not _names_words(text)):
        canonical = write_line(planned) if isinstance(planned, Line) else text
        return Command(Verb.IF, argument=canonical)
    if len(text) > MAX_COMMAND_CHARACTERS:
        return read_free_text(strip_opening(text))
    # With two stars the text is emphasized.
    if text.count("*") == 1 and (command := read_starred_huff(strip_closing(text))):
        return command
    if command := read_free_text(strip_opening(text)):
        return command
    text = strip_closing(strip_opening(text))
    return (
        _read_word(text.casefold())
        or read_move(text, vocabulary)
        or read_row_text(text, vocabulary)
        or read_phrase(text, vocabulary)
    )


def _names_words(text: str) -> bool:
    """Whether a text has quotation marks within, as a sentence of ours that names words has."""
    within = strip_closing(strip_opening(text))
    return any(mark in QUOTATION_MARKS and mark != "'" for mark in within)


def _read_word(text: str) -> Command | None:
    text = text.casefold()
    word = text.removesuffix("?").rstrip()
    verb = VERB_BY_WORD.get(word)
    return Command(verb) if verb and (word == text or verb in MAY_BE_QUESTIONS) else None
