"""Lines that look like a command and are none, such as "b4-b5?" or "I resign.".

They are prose, like any other line. If a message has no command at all, its receipt names one.
"""

import re
from collections.abc import Sequence

from games.mail.reading.grammar.command_words import VERB_BY_WORD
from games.mail.reading.grammar.line_cleaning import normalize

MAX_WORDS = 5  # of a line that was meant as a command; a longer one is a sentence
MAX_CHARACTERS = 40
MAX_LINES = 3  # of a message in which a short line without such a word is named too
MIN_WORD_CHARACTERS = 4  # "no" and "yes" stand in any sentence

MOVE = re.compile(r"(?<![a-z0-9])[a-z]?[a-l]1?[0-9]\W{0,4}[a-l]1?[0-9](?![0-9])", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]+")


def near_command(lines: Sequence[str]) -> str:
    """The first short line with a move or a command word in it; else a short line of a short text.

    "" if there is none. A greeting or a signature ends in a comma, or follows other lines.
    """
    written = [line for line in map(normalize, lines) if line]
    short = [line for line in written if _is_short(line)]
    for line in short:
        words = {word.casefold() for word in WORD.findall(line)}
        if MOVE.search(line) or any(len(word) >= MIN_WORD_CHARACTERS for word in words & _WORDS):
            return line
    return short[0] if short and len(written) <= MAX_LINES else ""


_WORDS = frozenset(VERB_BY_WORD)


def _is_short(line: str) -> bool:
    return (
        len(line) <= MAX_CHARACTERS
        and len(line.split()) <= MAX_WORDS
        and not line.endswith((",", "，", ":", "："))
    )
