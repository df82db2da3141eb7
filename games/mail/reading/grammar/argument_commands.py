"""Parses commands with an argument, such as a number of days, a match number or a name."""

import re
from functools import lru_cache

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.command_words import (
    CHALLENGE_WORDS,
    DAY_WORDS,
    ENTER_WORDS,
    FRIENDLY_WORDS,
    JOIN_WORDS,
    LADDER_WORDS,
    LEAVE_WORDS,
    LIST_WORDS,
    NOTE_WORDS,
    PLAY_WORDS,
    RATED_WORDS,
    SAY_WORDS,
    SEAT_WORDS,
    SETUP_WORDS,
    TAKES_MATCH_NUMBER,
    WAIT_WORDS,
    WAIT_WORDS_WITHOUT_SPACES,
    WORDS,
)
from games.mail.reading.grammar.vocabulary import Vocabulary
from lib.spelling.moves import any_of
from lib.spelling.typed_text import with_keyboard_marks

IGNORE = re.IGNORECASE
NUMBER = "#?(?P<number>[1-9][0-9]{0,8})"

# Only one day can be given; larger numbers are parsed so that they can be refused. Verb, number and
# day may be of different languages, since e-mails write "warten 1d".
NUMBER_WORDS = {
    word: number
    for number, words in (
        (1, "a one another ein eine einen un une 一 壹"),
        (2, "two zwei deux 二 兩 两"),
        (3, "three drei trois 三"),
    )
    for word in words.split()
}
_SPACED = " ".join(word for word in NUMBER_WORDS if word.isascii())
_UNSPACED = " ".join(word for word in NUMBER_WORDS if not word.isascii())
DAYS = (
    rf"(?P<days>[1-9][0-9]?(?= ?\D)|{any_of(_SPACED)}(?= )|{any_of(_UNSPACED)})"
    rf" ?(?:(?:more|weiteren?) )?{any_of(DAY_WORDS)}(?: more| mehr| de plus)?"
)
WAITS = tuple(
    re.compile(pattern, IGNORE)
    for pattern in (
        f"{any_of(WAIT_WORDS)} (?:sie )?(?:noch |encore )?{DAYS}",
        f"(?:noch )?{DAYS} {any_of(WAIT_WORDS)}",  # in German the verb may come last
        f"{any_of(WAIT_WORDS_WITHOUT_SPACES)} ?{DAYS}",
    )
)

NOTE = re.compile(f"{any_of(NOTE_WORDS)}(?: ?: ?| |(?<![a-z]))(?P<text>.+)", IGNORE)
# French e-mails name the word as « dis »; a program may have wrapped that after the first mark.
SAY = re.compile(f"{any_of(SAY_WORDS)}(?: ?: ?| )(?P<text>[^»].*)", IGNORE)
# Needs a colon, since "Setup was hard for me." is prose.
SAVED_SETUP = re.compile(f"{any_of(SETUP_WORDS)} ?: ?(?P<text>.{{1,60}})", IGNORE)
PLAY, SEAT, CHALLENGE, LADDER = map(any_of, (PLAY_WORDS, SEAT_WORDS, CHALLENGE_WORDS, LADDER_WORDS))
# An edition, a time control, and whether the match is rated.
TERM = "[a-z0-9-]{1,20}"
TERMS = f"(?: (?:{TERM}|{any_of(f'{RATED_WORDS} {FRIENDLY_WORDS}')})){{0,3}}"
JOIN = re.compile(f"{any_of(JOIN_WORDS)} {NUMBER}", IGNORE)
ENTER = re.compile(f"{any_of(ENTER_WORDS)} {NUMBER}", IGNORE)
LEAVE = re.compile(f"{any_of(LEAVE_WORDS)} {NUMBER}", IGNORE)
WITHDRAW = re.compile(f"{any_of(WORDS[Verb.WITHDRAW])} {NUMBER}", IGNORE)
NUMBERED = (
    (Verb.JOIN, JOIN),
    (Verb.WITHDRAW, WITHDRAW),
    (Verb.ENTER, ENTER),
    (Verb.LEAVE, LEAVE),
)
WITH_MATCH_NUMBER = tuple(
    (verb, re.compile(f"{any_of(WORDS[verb])} {NUMBER}", IGNORE))
    for verb in sorted(TAKES_MATCH_NUMBER, key=lambda verb: verb.value)
    if verb in WORDS
)
LIST_OF_MATCH = re.compile(f"{any_of(WORDS[Verb.BOARD])} ?{any_of(LIST_WORDS)} {NUMBER}", IGNORE)


def read_phrase(text: str, vocabulary: Vocabulary) -> Command | None:
    """The command with an argument that fills a text; None otherwise."""
    text = with_keyboard_marks(text)
    for pattern in WAITS:
        if match := pattern.fullmatch(text):
            days = match["days"].casefold()
            return Command(Verb.WAIT, argument=f"{NUMBER_WORDS.get(days, days)}d")
    for verb, pattern in (*WITH_MATCH_NUMBER, (Verb.BOARD_LIST, LIST_OF_MATCH)):
        if match := pattern.fullmatch(text):
            return Command(verb, match=int(match["number"]))
    for verb, pattern in NUMBERED:
        if match := pattern.fullmatch(text):
            return Command(verb, argument=match["number"])
    for verb, pattern in _invitation_patterns(vocabulary):
        if match := pattern.fullmatch(text):
            return Command(verb, argument=match["text"])
    if match := SAVED_SETUP.fullmatch(text):
        return Command(Verb.SETUP, argument=match["text"])
    return None


@lru_cache(maxsize=8)
def _invitation_patterns(vocabulary: Vocabulary) -> tuple[tuple[Verb, re.Pattern[str]], ...]:
    play = f"{PLAY} (?P<text>{vocabulary.game}(?: {TERM}){{0,2}})"
    seat = f"{SEAT} (?P<text>{vocabulary.game}{TERMS})"
    challenge = rf"{CHALLENGE} (?P<text>@?[\w.-]{{1,40}} {vocabulary.game}{TERMS})"
    ladder = f"{LADDER} (?P<text>{vocabulary.game})"
    on_ladder = rf"{CHALLENGE} (?P<text>@?[\w.-]{{1,40}} {LADDER} {vocabulary.game})"
    patterns = {
        Verb.PLAY: play,
        Verb.SEAT: seat,
        Verb.CHALLENGE: challenge,
        Verb.LADDER: ladder,
        Verb.LADDER_CHALLENGE: on_ladder,
    }
    return tuple((verb, re.compile(text, IGNORE)) for verb, text in patterns.items())


def read_free_text(text: str) -> Command | None:
    """A note, or words to the opponent; their closing punctuation is kept."""
    for verb, pattern in ((Verb.NOTE, NOTE), (Verb.SAY, SAY)):
        if match := pattern.fullmatch(text):
            return Command(verb, argument=match["text"].strip())
    return None
