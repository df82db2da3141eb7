"""Spelling of moves: reads squares with almost any dash, arrow, cross or word between them.

The rules and the reader of messages use it, so that a page, an e-mail and a record read alike. It
knows no match: the rules interpret the squares, among the legal moves of the seat.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from lib.spelling import typed_text
from lib.spelling.surrounding_marks import strip_closing, strip_opening

MAX_SQUARES = 18  # an officer's sixteen jumps, its start, and one too many

# In the four languages, umlauts and accents optional, Chinese in both scripts.
MOVE_WORDS = "move zug coup 走 移動 移动"
HUFF_WORDS = "huff blow blase blasen puste pusten souffle souffler 吹"
TO_WORDS = "to nach vers à 到 至"
TAKES_WORDS = "takes schlägt schlaegt schlagt prend 吃"
SIGN_OF_WORD = dict.fromkeys(TO_WORDS.split(), "-") | dict.fromkeys(TAKES_WORDS.split(), "x")

# A katakana sign, a line of a table and a wave are typed for a dash. Outlook turns "-->" into an
# arrow of Wingdings; elsewhere it is one of the first three characters.
ARROWS = "\uf0e0\uf0e8è▶►▸▹▻"
DASHES = "ー─━‾⁓〜¯"
CROSSES = "⚔✗✘"
CROSS_NAMES = (
    "MULTIPLICATION", "TIMES OPERATOR", "SALTIRE", "CROSS MARK", "DIAGONAL CROSS", "BALLOT X",
    "CROSS PRODUCT",
)  # fmt: skip
DASH_NAMES = ("DASH", "HYPHEN", "MINUS SIGN")
ARROW_NAMES = ("ARROW", "ARROWHEAD")


def any_of(words: str) -> str:
    """A regular expression that matches one of the words."""
    return "(?:" + "|".join(sorted(words.split(), key=len, reverse=True)) + ")"


SQUARE = "[a-l][1-9][0-9]?"
CAPTURE = f"(?:[x:]|{any_of(TAKES_WORDS)})"
JOINER = f" ?(?:[-~=]*>|[-~]+|{any_of(TO_WORDS)}|(?P<capture>{CAPTURE}))? ?"
STEP = re.compile(f"{JOINER}(?P<square>{SQUARE})")
FIRST = re.compile(SQUARE)

PREFIX = re.compile(f"{any_of(MOVE_WORDS)} ?:? ?(?={SQUARE})")
HUFF = re.compile(f"{any_of(HUFF_WORDS)} ?:? ?(?P<point>{SQUARE})(?: ?[,;:]| and| then)? ?")
# In a record the star directly precedes the point; a star before a space is a bullet.
STAR = re.compile(rf"\*(?P<point>{SQUARE})(?: ?, ?| ?(?={SQUARE})|$)")
# Annotations of battles and volleys, which a move copied from a record may have.
ANNOTATION = re.compile(rf" ?\[[^\[\]]{{1,12}}\](?:[+-]d|[-+=#])?| ~{SQUARE}!?")


class SpelledMove(NamedTuple):
    """The squares of a move as somebody wrote it; a huff may have no move after it.

    `claims_capture`: whether a sign or word for an attack stands between squares.
    """

    squares: tuple[str, ...] = ()
    claims_capture: bool = False
    huff: str = ""

    @property
    def record_text(self) -> str:
        """The move with the signs of game records."""
        squares = ("x" if self.claims_capture else "-").join(self.squares)
        return ",".join(filter(None, (self.huff and f"*{self.huff}", squares)))


@lru_cache(maxsize=4096)
def _record_sign(sign: str) -> str:
    """`-` for a dash, `>` for an arrow, `x` for a cross, and any other sign as it is."""
    if sign.isascii():
        return sign
    name = unicodedata.name(sign, "")
    if sign in CROSSES or any(words in name for words in CROSS_NAMES):
        return "x"
    if sign in ARROWS or any(word in ARROW_NAMES for word in name.split()):
        return ">"
    is_dash = sign in DASHES or unicodedata.category(sign) == "Pd"
    return "-" if is_dash or any(word in name for word in DASH_NAMES) else sign


def with_record_signs(text: str) -> str:
    """The text in lowercase with the dashes, arrows and crosses of game records."""
    return "".join(map(_record_sign, typed_text.plain(text).casefold()))


def read_move(text: str) -> SpelledMove | None:
    """The move that fills a text; None if anything else is in it."""
    text = with_record_signs(text)
    if prefix := PREFIX.match(text):
        text = text[prefix.end() :]
    huff = ""
    if huffed := HUFF.match(text):
        huff, text = huffed["point"], text[huffed.end() :]
        if prefix := PREFIX.match(text):
            text = text[prefix.end() :]
        if not text:
            return SpelledMove(huff=huff)
    return _read_path(text, huff)


def read_starred_huff(text: str) -> SpelledMove | None:
    """A huff in record notation, `*d6,c4-c5` or `*d6`; to be tried before emphasis is stripped."""
    text = with_record_signs(text)
    match = STAR.match(text)
    if not match:
        return None
    rest = text[match.end() :]
    return _read_path(rest, match["point"]) if rest else SpelledMove(huff=match["point"])


def read_with_marks(text: str) -> SpelledMove | None:
    """The move of a text that may have a list number, quotation marks or final punctuation."""
    text = typed_text.plain(text).rstrip("?… ")
    if huff := read_starred_huff(strip_closing(text)):
        return huff
    return read_move(strip_closing(strip_opening(text)))


def begins_with_move(text: str) -> bool:
    """Whether a text begins with two squares, as a conditional move does."""
    text = with_record_signs(text)
    first = FIRST.match(text)
    return bool(first and STEP.match(text, first.end()))


def _read_path(text: str, huff: str) -> SpelledMove | None:
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
    return SpelledMove(tuple(squares), claims, huff) if len(squares) > 1 else None
