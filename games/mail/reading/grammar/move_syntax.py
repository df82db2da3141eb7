"""Parses moves: squares, with almost any separator between them.

The grammar does not know the match. The rules interpret the squares, among the legal moves of the
seat.
"""

import re

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.command_words import (
    HUFF_WORDS,
    MOVE_WORDS,
    TAKES_WORDS,
    TO_WORDS,
    any_of,
)
from games.mail.reading.grammar.vocabulary import Vocabulary

MAX_SQUARES = 18  # an officer's sixteen jumps, its start, and one too many

SQUARE = "[a-l][1-9][0-9]?"
DASHES = "-‐‑‒–—―−─ー~〜"
# Outlook turns "-->" into an arrow of Wingdings; elsewhere it is one of the last three characters.
ARROW = f"(?:[{DASHES}=]*>|[→⇒⟶⟹➔➙➛➜➝➞➟➠➡➢➣➤⇢⇨⇾↦\uf0e0\uf0e8è])"
CAPTURE = f"(?:[x×✕✖⨯:]|{any_of(TAKES_WORDS)})"
JOINER = f" ?(?:{ARROW}|[{DASHES}]+|{any_of(TO_WORDS)}|(?P<capture>{CAPTURE}))? ?"
STEP = re.compile(f"{JOINER}(?P<square>{SQUARE})")
FIRST = re.compile(SQUARE)

PREFIX = re.compile(f"{any_of(MOVE_WORDS)} ?:? ?(?={SQUARE})")
HUFF = re.compile(f"{any_of(HUFF_WORDS)} ?:? ?(?P<point>{SQUARE})(?: ?[,;:]| and| then)? ?")
# In a record the star directly precedes the point; a star before a space is a bullet.
STAR = re.compile(rf"\*(?P<point>{SQUARE})(?: ?, ?| ?(?={SQUARE})|$)")
# Annotations of battles and volleys, which a move copied from a record may have.
ANNOTATION = re.compile(rf" ?\[[^\[\]]{{1,12}}\](?:[+-]d|[-+=#])?| ~{SQUARE}!?")


def read_move(text: str, vocabulary: Vocabulary) -> Command | None:
    """The move that fills a text, or the set-up of two officers; None otherwise."""
    text = text.casefold()
    if vocabulary.two_points and (points := vocabulary.two_points.fullmatch(text)):
        return Command(Verb.SETUP, squares=(points["one"], points["other"]))
    if prefix := PREFIX.match(text):
        text = text[prefix.end() :]
    huff = ""
    if huffed := HUFF.match(text):
        huff, text = huffed["point"], text[huffed.end() :]
        if prefix := PREFIX.match(text):
            text = text[prefix.end() :]
        if not text:
            return Command(Verb.MOVE, huff=huff)
    return _read_path(text, huff)


def read_starred_huff(text: str) -> Command | None:
    """A huff in record notation, `*d6,c4-c5` or `*d6`; to be tried before emphasis is stripped."""
    text = text.casefold()
    found = STAR.match(text)
    if not found:
        return None
    rest = text[found.end() :]
    return _read_path(rest, found["point"]) if rest else Command(Verb.MOVE, huff=found["point"])


def begins_with_move(text: str) -> bool:
    """Whether a text begins with two squares, as a conditional move does."""
    text = text.casefold()
    first = FIRST.match(text)
    return bool(first and STEP.match(text, first.end()))


def _read_path(text: str, huff: str) -> Command | None:
    text = ANNOTATION.sub("", text)
    first = FIRST.match(text)
    if not first:
        return None
    squares, claims, place = [first[0]], False, first.end()
    while place < len(text):
        step = STEP.match(text, place)
        if not step or len(squares) == MAX_SQUARES:
            return None
        squares.append(step["square"])
        claims = claims or step["capture"] is not None
        place = step.end()
    if len(squares) < 2:
        return None
    return Command(Verb.MOVE, squares=tuple(squares), claims_capture=claims, huff=huff)
