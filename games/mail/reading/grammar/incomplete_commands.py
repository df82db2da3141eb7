"""Lines that begin with a command word and lack its argument, or have one that cannot be read.

They are prose, like any other line that no command fills. If a message has no command at all, its
receipt says what has to follow the word.
"""

import re
from collections.abc import Iterable

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
    WAIT_WORDS,
    WAIT_WORDS_WITHOUT_SPACES,
    WORDS,
)
from games.mail.reading.grammar.line_cleaning import normalize
from lib.spelling.moves import any_of
from lib.spelling.surrounding_marks import strip_closing, strip_opening

MAX_WORDS = 5  # of a line that was meant as a command; a longer one is a sentence
MAX_CHARACTERS = 60

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
