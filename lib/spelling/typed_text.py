"""Normalizes what people type, paste or send; every room uses it, so that all read alike.

Phones, word processors, input methods and mail programs replace characters: full width letters,
digits of other scripts, typographic spaces, invisible marks, accents as separate characters.
"""

import unicodedata
from functools import lru_cache

# Invisible, or blank, though Unicode calls them letters or marks.
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\ufffc")
_BRAILLE_BLANK = "\u2800"
_SPACING_ACUTES = "\u00b4\u1ffd\u02b9\u02ca\u2032"  # typed as an apostrophe
_JOINERS = "\u200c\u200d"  # needed by emoji and by some scripts
# Phones type curly apostrophes and quotation marks.
_MARKS = str.maketrans(dict.fromkeys("‘’‚‛ʼ‹›", "'") | dict.fromkeys("“”„‟«»", '"') | {"−": "-"})
# Letters with a stroke or a ligature have no accent that Unicode could take off.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"}
)


@lru_cache(maxsize=4096)
def _plain_sign(sign: str) -> str:
    if (
        unicodedata.category(sign) == "Cf"
        or sign in _FILLERS
        or "VARIATION SELECTOR" in unicodedata.name(sign, "")
    ):
        return ""
    if (digit := unicodedata.decimal(sign, None)) is not None:
        return str(digit)
    if sign == _BRAILLE_BLANK:
        return " "
    return "'" if sign in _SPACING_ACUTES else sign


def plain_lines(text: str) -> str:
    """The text in NFKC with ASCII digits and without invisible characters; lines stay."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", "".join(map(_plain_sign, text)))


def plain(text: str) -> str:
    """`plain_lines` as one line, with single spaces and none around it."""
    return " ".join(plain_lines(text).split())


def with_keyboard_marks(text: str) -> str:
    """The text with the apostrophe, quotation mark and hyphen of keyboards for typographic ones."""
    if text.isascii():
        return text
    return "".join("-" if unicodedata.category(s) == "Pd" else s for s in text.translate(_MARKS))


def folded(text: str) -> str:
    """The text for comparisons: equal if only case, composition or typographic marks differ.

    The dotless and the dotted i of Turkish count as i.
    """
    text = with_keyboard_marks(unicodedata.normalize("NFKC", plain(text).casefold()))
    return text.replace("i\u0307", "i").replace("ı", "i")


def code(text: str) -> str:
    """A code without what people and programs put between its letters and digits."""
    return "".join(filter(str.isalnum, plain(text)))


def letters_and_digits(text: str) -> str:
    """The letters and digits of a text, folded and without accents: "st johns" for "St. Johns"."""
    signs = unicodedata.normalize("NFD", folded(text).translate(_LETTERS))
    return "".join(filter(str.isalnum, signs))


def name(text: str) -> str:
    """A name as it is stored and shown: composed (NFC), with single spaces, no invisible marks.

    Joiners stay, since emoji and some scripts need them. Two names are the same if their `folded`
    texts are equal.
    """
    kept = (sign for sign in text if sign in _JOINERS or unicodedata.category(sign) != "Cf")
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def is_printable(text: str) -> bool:
    """Whether a name has no characters that cannot be shown; joiners are allowed."""
    return "".join(sign for sign in text if sign not in _JOINERS).isprintable()
