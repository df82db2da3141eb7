"""Reads moves: squares, with next to anything between them.

The grammar knows no match. What the squares mean is worked out by the rules, among the legal moves
of the seat.
"""

import re

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.grammar.words import HUFF_WORDS, MOVE_WORDS, TAKES_WORDS, TO_WORDS, any_of

MAX_SQUARES = 18  # an officer's sixteen jumps and where it stood, and one that is too many

SQUARE = "[a-l][1-9][0-9]?"
DASHES = "-‐‑‒–—―−─ー~〜"
# Outlook makes an arrow of a font for signs from "-->", which other programs show as the last two.
ARROW = f"(?:[{DASHES}=]*>|[→⇒⟶⟹➔➙➛➜➝➞➟➠➡➢➣➤⇢⇨⇾↦\uf0e0\uf0e8è])"
CAPTURE = f"(?:[x×✕✖⨯:]|{any_of(TAKES_WORDS)})"
JOINER = f" ?(?:{ARROW}|[{DASHES}]+|{any_of(TO_WORDS)}|(?P<capture>{CAPTURE}))? ?"
STEP = re.compile(f"{JOINER}(?P<square>{SQUARE})")
FIRST = re.compile(SQUARE)

PREFIX = re.compile(f"{any_of(MOVE_WORDS)} ?:? ?(?={SQUARE})")
HUFF = re.compile(f"{any_of(HUFF_WORDS)} ?:? ?(?P<point>{SQUARE})(?: ?[,;:]| and| then)? ?")
# The star of a record is close to its point; one before a blank is a bullet.
STAR = re.compile(rf"\*(?P<point>{SQUARE})(?: ?, ?| ?(?={SQUARE})|$)")
# Battles and volleys of a record, which a move that was copied may have behind it.
REMARK = re.compile(rf" ?\[[^\[\]]{{1,12}}\](?:[+-]d|[-+=#])?| ~{SQUARE}!?")


def read_move(text: str, known: Vocabulary) -> Command | None:
    """The move, or the two points set up, that a text consists of."""
    text = text.casefold()
    if known.two_points and (points := known.two_points.fullmatch(text)):
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
    """A huff as a record has it, `*d6,c4-c5` or `*d6`, before the star is taken for emphasis."""
    text = text.casefold()
    found = STAR.match(text)
    if not found:
        return None
    rest = text[found.end() :]
    return _read_path(rest, found["point"]) if rest else Command(Verb.MOVE, huff=found["point"])


def begins_with_move(text: str) -> bool:
    """Whether a text begins with two squares of a move, as a condition does."""
    text = text.casefold()
    first = FIRST.match(text)
    return bool(first and STEP.match(text, first.end()))


def _read_path(text: str, huff: str) -> Command | None:
    text = REMARK.sub("", text)
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
