"""Words of plans in the four languages; all are read, whatever the language of the player.

Chinese is read in both scripts and needs no blanks. Lines are written in English.
"""

import re
from enum import StrEnum

from lib.spelling.moves import any_of


class Word(StrEnum):
    """A word of the language, by its English name."""

    IF = "if"
    THEN = "then"
    OTHERWISE = "otherwise"
    QUIET = "quiet"
    ANY = "any"


SPELLINGS = {
    Word.IF: "if wenn falls si 如果 若",
    Word.THEN: "then dann alors 則 则 那麼 那么",
    Word.OTHERWISE: "otherwise sonst sinon 否則 否则",
    Word.QUIET: "quiet ruhig calme 靜 静",
    Word.ANY: "any beliebig tout 任何",
}
WORD = {spelling: word for word, spellings in SPELLINGS.items() for spelling in spellings.split()}

# Between the words stand conditions and answers.
_STRUCTURE = " ".join(SPELLINGS[word] for word in (Word.IF, Word.THEN, Word.OTHERWISE)).split()
_LATIN = any_of(" ".join(word for word in _STRUCTURE if word.isascii()))
_CHINESE = any_of(" ".join(word for word in _STRUCTURE if not word.isascii()))
KEYWORD = re.compile(rf"(?:(?<![^\s,;])(?:{_LATIN})(?!\S)|{_CHINESE})")
