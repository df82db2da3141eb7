"""Texts that players write to each other, without what cannot be seen or covers other text."""

import unicodedata
from itertools import groupby

MAX_MARKS = 4  # on one letter; more would cover the rows above
# Control characters, format characters (bidirectional and zero-width ones are among them), and
# halves of characters.
INVISIBLE_CATEGORIES = ("Cc", "Cf", "Cs")
# Of other categories: joiners, fillers, variation selectors, the empty braille pattern, and what
# Unicode has set aside for signs that are not shown.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xFFF0, 0xFFF9)))
    + "".join(map(chr, range(0xE0000, 0xE1000)))
)


def without_invisible(text: str) -> str:
    """The text without signs that cannot be seen; line feeds stay."""
    return "".join(filter(_is_visible, text))


def with_few_marks(row: str) -> str:
    """The row with at most MAX_MARKS combining marks in succession."""
    kept: list[str] = []
    for is_mark, signs in groupby(row, lambda sign: unicodedata.category(sign) in ("Mn", "Me")):
        run = list(signs)
        kept += run[:MAX_MARKS] if is_mark else run
    return "".join(kept)


def one_line(text: str) -> str:
    """A text as one line, with single blanks, as lists and e-mails show it."""
    visible = without_invisible(" ".join(text.split()))
    return with_few_marks(" ".join(visible.split()))


def _is_visible(sign: str) -> bool:
    if sign == "\n":
        return True
    return unicodedata.category(sign) not in INVISIBLE_CATEGORIES and sign not in INVISIBLE
