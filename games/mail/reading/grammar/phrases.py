"""Reads commands that take an argument, such as a number of days, a match or a name."""

import re
from functools import lru_cache

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.moves import begins_with_move
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.grammar.words import (
    CHALLENGE_WORDS,
    IF_WORDS,
    JOIN_WORDS,
    LIST_WORDS,
    NOTE_WORDS,
    NUMBERED,
    SAY_WORDS,
    SEAT_WORDS,
    SETUP_WORDS,
    WORDS,
    any_of,
)

IGNORE = re.IGNORECASE
NUMBER = "#?(?P<number>[1-9][0-9]{0,8})"

# One day is what can be given; a larger number is understood so that it can be refused.
DAY = r"(?:(?P<number>[1-9][0-9]?) ?(?:d|days?)|(?:a|one|another) (?:more )?day)"
TAG = r"(?:(?P<number>[1-9][0-9]?) ?(?:d|t|tage?)|(?:einen|einen weiteren|noch einen) tag)"
JOUR = r"(?:(?P<number>[1-9][0-9]?) ?(?:d|j|jours?)|un jour)"
TIAN = r"(?:(?P<number>[1-9][0-9]?) ?(?:d|天|日)|一 ?(?:天|日))"
WAITS = tuple(
    re.compile(pattern, IGNORE)
    for pattern in (
        f"(?:wait|give) {DAY}",
        f"(?:warten?|geben?|gib|schenken?) {TAG}",
        f"(?:attend(?:re|s|ez)|donne[rz]?) {JOUR}",
        f"(?:等待?|給|给) ?{TIAN}",
    )
)

NOTE = re.compile(f"{any_of(NOTE_WORDS)}(?: ?: ?| |(?<![a-z]))(?P<text>.+)", IGNORE)
SAY = re.compile(f"{any_of(SAY_WORDS)}(?: ?: ?| )(?P<text>.+)", IGNORE)
CONDITION = re.compile(f"{any_of(IF_WORDS)} ?(?P<text>.+)", IGNORE)
# With a colon, since "Setup was hard for me." is prose.
SAVED = re.compile(f"{any_of(SETUP_WORDS)} ?: ?(?P<text>.{{1,60}})", IGNORE)
SEAT, CHALLENGE = any_of(SEAT_WORDS), any_of(CHALLENGE_WORDS)
TERMS = "(?: [a-z0-9-]{1,20}){0,3}"
JOIN = re.compile(f"{any_of(JOIN_WORDS)} {NUMBER}", IGNORE)
WITHDRAW = re.compile(f"{any_of(WORDS[Verb.WITHDRAW])} {NUMBER}", IGNORE)
OF_MATCH = tuple(
    (verb, re.compile(f"{any_of(WORDS[verb])} {NUMBER}", IGNORE))
    for verb in sorted(NUMBERED, key=lambda verb: verb.value)
    if verb in WORDS
)
LIST_OF_MATCH = re.compile(f"{any_of(WORDS[Verb.BOARD])} ?{any_of(LIST_WORDS)} {NUMBER}", IGNORE)


def read_phrase(text: str, known: Vocabulary) -> Command | None:
    """The command of several words that a text consists of."""
    for pattern in WAITS:
        if found := pattern.fullmatch(text):
            return Command(Verb.WAIT, argument=f"{found['number'] or 1}d")
    for verb, pattern in (*OF_MATCH, (Verb.BOARD_LIST, LIST_OF_MATCH)):
        if found := pattern.fullmatch(text):
            return Command(verb, match=int(found["number"]))
    for verb, pattern in ((Verb.JOIN, JOIN), (Verb.WITHDRAW, WITHDRAW)):
        if found := pattern.fullmatch(text):
            return Command(verb, argument=found["number"])
    for verb, pattern in _invitations(known):
        if found := pattern.fullmatch(text):
            return Command(verb, argument=found["text"])
    if (found := CONDITION.fullmatch(text)) and begins_with_move(found["text"]):
        return Command(Verb.IF, argument=found["text"])
    if found := SAVED.fullmatch(text):
        return Command(Verb.SETUP, argument=found["text"])
    return None


@lru_cache(maxsize=8)
def _invitations(known: Vocabulary) -> tuple[tuple[Verb, re.Pattern[str]], ...]:
    seat = f"{SEAT} (?P<text>{known.game}{TERMS})"
    challenge = rf"{CHALLENGE} (?P<text>@?[\w.-]{{1,40}} {known.game}{TERMS})"
    return (Verb.SEAT, re.compile(seat, IGNORE)), (Verb.CHALLENGE, re.compile(challenge, IGNORE))


def read_free_text(text: str) -> Command | None:
    """A note, or what was meant for the opponent; their text keeps its closing signs."""
    for verb, pattern in ((Verb.NOTE, NOTE), (Verb.SAY, SAY)):
        if found := pattern.fullmatch(text):
            return Command(verb, argument=found["text"].strip())
    return None
