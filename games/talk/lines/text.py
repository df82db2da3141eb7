"""The text of a line of talk: cleaned, checked, and broken into rows for e-mails."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from games.play.refusals import NotNow
from games.rules.core.basics.refusals import gettext_noop
from lib.spelling import visible_text

MAX_CHARACTERS = 1_000
MAX_ROWS = 20
# What may be sent: NFC may shorten a text, and what is invisible is removed.
MAX_SENT_CHARACTERS = 4_000

# Mail programs wrap quotations at 40 columns or more, and may add a mark. So no row of ours is
# wrapped, and each keeps the mark that shows that it is a quotation.
ROW_COLUMNS = 38
MARK = "> "

LINE_BREAKS = str.maketrans({"\u2028": "\n", "\u2029": "\n", "\x85": "\n", "\r": "\n", "\t": " "})


class BadLine(NotNow):
    """A line of talk is empty or too long."""


def read_text(sent: str) -> str:
    """The text as it is stored; raises BadLine.

    It is in NFC, has no sign that cannot be seen, and no blanks or empty rows at its ends.
    """
    if len(sent) > MAX_SENT_CHARACTERS:
        raise _too_long(len(sent))
    text = sent.replace("\r\n", "\n").translate(LINE_BREAKS)
    text = unicodedata.normalize("NFC", visible_text.without_invisible(text))
    rows = [visible_text.with_few_marks(row).rstrip() for row in text.split("\n")]
    text = "\n".join(rows).strip()
    if not text:
        raise BadLine(gettext_noop("There is nothing to send: write something first."))
    if len(text) > MAX_CHARACTERS:
        raise _too_long(len(text))
    if (count := text.count("\n") + 1) > MAX_ROWS:
        raise BadLine(
            gettext_noop("You can send at most %(most)s rows at once, and these are %(count)s."),
            most=MAX_ROWS,
            count=count,
        )
    return text


def quoted_rows(text: str) -> list[str]:
    """The text as rows of at most ROW_COLUMNS columns that begin with MARK, for e-mails.

    No row is a command of play by mail, however a mail program quotes or wraps it.
    """
    return [(MARK + part).rstrip() for row in text.split("\n") for part in _broken(row)]


def _too_long(count: int) -> BadLine:
    return BadLine(
        gettext_noop("You can send at most %(most)s characters at once, and these are %(count)s."),
        most=MAX_CHARACTERS,
        count=count,
    )


def _broken(row: str) -> Iterator[str]:
    """Parts of a row that fit after MARK; words that do not fit are broken."""
    room = ROW_COLUMNS - len(MARK)
    part, taken = "", 0
    for word in row.split():
        width = _columns(word)
        if part and taken + 1 + width <= room:
            part, taken = f"{part} {word}", taken + 1 + width
            continue
        if part:
            yield part
        part, taken = "", 0
        for sign in word:
            if taken + _columns(sign) > room:
                yield part
                part, taken = "", 0
            part, taken = part + sign, taken + _columns(sign)
    yield part


def _columns(text: str) -> int:
    """The number of columns that a text takes up at most."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WFA" else 1 for sign in text)
