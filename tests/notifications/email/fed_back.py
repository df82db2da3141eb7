"""An e-mail as a mail program may quote it: without quotation marks, wrapped again."""

import re
import textwrap
from collections.abc import Iterator
from html import unescape

from django.core.mail import EmailMultiAlternatives

from tests.notifications.email.reading import html, text

COLUMNS = range(68, 81)
# What begins a line of its own where HTML is turned into text.
BLOCK = re.compile(r"</?(?:td|th|tr|table|tbody|p|li|ul|h1|div|pre|br)\b[^>]*>")
TAG = re.compile(r"<[^>]*>")
UNSEEN = re.compile(r"<style>.*?</style>|<title>.*?</title>", re.DOTALL)


def texts(email: EmailMultiAlternatives) -> Iterator[list[str]]:
    """The lines of the e-mail's text as it was sent, and each way in which it may be wrapped."""
    whole = text(email)
    ways: dict[tuple[str, ...], None] = {}
    for source in (whole.splitlines(), _paragraphs(whole), cells(email)):
        ways[tuple(source)] = None
        for columns in COLUMNS:
            ways[tuple(part for line in source for part in wrapped(line, columns))] = None
    return map(list, ways)


def cells(email: EmailMultiAlternatives) -> list[str]:
    """The e-mail's HTML as text: each paragraph, and each cell of a table, is a line."""
    shown = UNSEEN.sub("", html(email))
    lines = BLOCK.sub("\n", shown).split("\n")
    return [" ".join(unescape(TAG.sub("", line)).split()) for line in lines]


def _paragraphs(whole: str) -> list[str]:
    """Lines that follow one another joined, but for those of a board and of a quotation."""
    joined = re.sub(r"(?<=\S)\n(?=[^\s*>])", " ", whole)
    return joined.split("\n")


def wrapped(line: str, columns: int) -> list[str]:
    """A line as mail programs wrap it: at blanks, by the number of its signs."""
    return textwrap.wrap(
        line, columns, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    ) or [""]
