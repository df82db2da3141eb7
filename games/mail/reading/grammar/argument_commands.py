"""Parses commands with an argument, such as a number of days, a match number or a name."""

import re
from functools import lru_cache

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.command_words import (
    CHALLENGE_WORDS,
    IF_WORDS,
    JOIN_WORDS,
    LADDER_WORDS,
    LIST_WORDS,
    NOTE_WORDS,
    SAY_WORDS,
    SEAT_WORDS,
    SETUP_WORDS,
    TAKES_MATCH_NUMBER,
    WORDS,
    any_of,
)
from games.mail.reading.grammar.move_syntax import begins_with_move
from games.mail.reading.grammar.vocabulary import Vocabulary

IGNORE = re.IGNORECASE
NUMBER = "#?(?P<number>[1-9][0-9]{0,8})"

# Only one day can be given; larger numbers are parsed so that they can be refused.
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
# Needs a colon, since "Setup was hard for me." is prose.
SAVED_SETUP = re.compile(f"{any_of(SETUP_WORDS)} ?: ?(?P<text>.{{1,60}})", IGNORE)
SEAT, CHALLENGE, LADDER = map(any_of, (SEAT_WORDS, CHALLENGE_WORDS, LADDER_WORDS))
TERMS = "(?: [a-z0-9-]{1,20}){0,3}"
JOIN = re.compile(f"{any_of(JOIN_WORDS)} {NUMBER}", IGNORE)
WITHDRAW = re.compile(f"{any_of(WORDS[Verb.WITHDRAW])} {NUMBER}", IGNORE)
WITH_MATCH_NUMBER = tuple(
    (verb, re.compile(f"{any_of(WORDS[verb])} {NUMBER}", IGNORE))
    for verb in sorted(TAKES_MATCH_NUMBER, key=lambda verb: verb.value)
    if verb in WORDS
)
LIST_OF_MATCH = re.compile(f"{any_of(WORDS[Verb.BOARD])} ?{any_of(LIST_WORDS)} {NUMBER}", IGNORE)


def read_phrase(text: str, vocabulary: Vocabulary) -> Command | None:
    """The command with an argument that fills a text; None otherwise."""
    for pattern in WAITS:
        if found := pattern.fullmatch(text):
            return Command(Verb.WAIT, argument=f"{found['number'] or 1}d")
    for verb, pattern in (*WITH_MATCH_NUMBER, (Verb.BOARD_LIST, LIST_OF_MATCH)):
        if found := pattern.fullmatch(text):
            return Command(verb, match=int(found["number"]))
    for verb, pattern in ((Verb.JOIN, JOIN), (Verb.WITHDRAW, WITHDRAW)):
        if found := pattern.fullmatch(text):
            return Command(verb, argument=found["number"])
    for verb, pattern in _invitation_patterns(vocabulary):
        if found := pattern.fullmatch(text):
            return Command(verb, argument=found["text"])
    if (found := CONDITION.fullmatch(text)) and begins_with_move(found["text"]):
        return Command(Verb.IF, argument=found["text"])
    if found := SAVED_SETUP.fullmatch(text):
        return Command(Verb.SETUP, argument=found["text"])
    return None


@lru_cache(maxsize=8)
def _invitation_patterns(vocabulary: Vocabulary) -> tuple[tuple[Verb, re.Pattern[str]], ...]:
    seat = f"{SEAT} (?P<text>{vocabulary.game}{TERMS})"
    challenge = rf"{CHALLENGE} (?P<text>@?[\w.-]{{1,40}} {vocabulary.game}{TERMS})"
    ladder = f"{LADDER} (?P<text>{vocabulary.game})"
    on_ladder = rf"{CHALLENGE} (?P<text>@?[\w.-]{{1,40}} {LADDER} {vocabulary.game})"
    patterns = {
        Verb.SEAT: seat,
        Verb.CHALLENGE: challenge,
        Verb.LADDER: ladder,
        Verb.LADDER_CHALLENGE: on_ladder,
    }
    return tuple((verb, re.compile(text, IGNORE)) for verb, text in patterns.items())


def read_free_text(text: str) -> Command | None:
    """A note, or words to the opponent; their closing punctuation is kept."""
    for verb, pattern in ((Verb.NOTE, NOTE), (Verb.SAY, SAY)):
        if found := pattern.fullmatch(text):
            return Command(verb, argument=found["text"].strip())
    return None
