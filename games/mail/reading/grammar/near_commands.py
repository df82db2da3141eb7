"""Lines that are nearly a command: "seat chess" lacks an argument, "b4-b5?" has a sign too many.

They are prose, like any other line that no command fills. If a message has no command at all, its
receipt says what has to follow a word, or names such a line.
"""

import re
from collections.abc import Iterable, Sequence

from games.mail.reading.commands import Verb
from games.mail.reading.grammar.command_words import (
    CHALLENGE_WORDS,
    ENTER_WORDS,
    JOIN_WORDS,
    LADDER_WORDS,
    LEAVE_WORDS,
    NOTE_WORDS,
    PLAY_WORDS,
    SAY_WORDS,
    SEAT_WORDS,
    SETUP_WORDS,
    VERB_BY_WORD,
    WAIT_WORDS,
    WAIT_WORDS_WITHOUT_SPACES,
    WORDS,
)
from games.mail.reading.grammar.line_cleaning import normalize
from lib.spelling.moves import any_of
from lib.spelling.surrounding_marks import strip_closing, strip_opening

MAX_WORDS = 5  # of a line that was meant as a command; a longer one is a sentence
MAX_CHARACTERS = 60
MAX_NAMED_CHARACTERS = 40  # of a line that a receipt repeats
MAX_LINES = 3  # of a message in which any short line is named, and that are looked at
MIN_WORD_CHARACTERS = 4  # "no" and "yes" stand in any sentence

MOVE = re.compile(r"(?<![a-z0-9])[a-z]?[a-l]1?[0-9]\W{0,4}[a-l]1?[0-9](?![0-9])", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]+")
COMMAND_WORDS = frozenset(word for word in VERB_BY_WORD if len(word) >= MIN_WORD_CHARACTERS)

WITH_ARGUMENT = {
    Verb.SEAT: SEAT_WORDS,
    Verb.PLAY: PLAY_WORDS,
    Verb.CHALLENGE: CHALLENGE_WORDS,
    Verb.LADDER: LADDER_WORDS,
    Verb.JOIN: JOIN_WORDS,
    Verb.WITHDRAW: WORDS[Verb.WITHDRAW],
    Verb.ENTER: ENTER_WORDS,
    Verb.LEAVE: LEAVE_WORDS,
    Verb.WAIT: f"{WAIT_WORDS} {WAIT_WORDS_WITHOUT_SPACES}",
    Verb.SAY: SAY_WORDS,
    Verb.NOTE: NOTE_WORDS,
    Verb.SETUP: SETUP_WORDS,
    # Only the number of a match may follow these.
    Verb.BOARD: WORDS[Verb.BOARD],
    Verb.MOVES: WORDS[Verb.MOVES],
    Verb.RULES: WORDS[Verb.RULES],
    Verb.PLAN: WORDS[Verb.PLAN],
}
BEGINS = {
    verb: re.compile(rf"{any_of(words)}(?![^\W\d_]|-)|{any_of(words)}(?<![a-zà-ÿ])", re.IGNORECASE)
    for verb, words in WITH_ARGUMENT.items()
}


def incomplete_command(lines: Iterable[str]) -> Verb | None:
    """What the first line that begins with such a word, and is short, asks for; None if none is."""
    for line in lines:
        text = strip_closing(strip_opening(normalize(line)))
        if len(text) > MAX_CHARACTERS or len(text.split()) > MAX_WORDS:
            continue
        for verb, begin in BEGINS.items():
            if begin.match(text):
                return verb
    return None


def near_commands(lines: Sequence[str]) -> list[str]:
    """The short lines with a move or a command word in them; else those of a short text.

    At most MAX_LINES. A greeting ends in a comma.
    """
    written = [line for line in map(normalize, lines) if line]
    short = [line for line in written if _is_short(line)]
    near = [
        line
        for line in short
        if MOVE.search(line) or not COMMAND_WORDS.isdisjoint(WORD.findall(line.casefold()))
    ]
    return (near or (short if len(written) <= MAX_LINES else []))[:MAX_LINES]


def _is_short(line: str) -> bool:
    return (
        len(line) <= MAX_NAMED_CHARACTERS
        and len(line.split()) <= MAX_WORDS
        and not line.endswith((",", "，", ":", "："))
    )
