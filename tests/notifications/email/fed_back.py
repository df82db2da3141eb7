"""An e-mail as a mail program may quote it: without quotation marks, wrapped again."""

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator
from html import unescape
from typing import Any

from django.core.mail import EmailMultiAlternatives

from tests import tiers
from tests.notifications.email.reading import html, text

COLUMNS = range(68, 81)
FAST_COLUMNS = range(68, 77, 8)
# What begins a line of its own where HTML is turned into text.
BLOCK = re.compile(r"</?(?:td|th|tr|table|tbody|p|li|ul|h1|div|pre|br)\b[^>]*>")
TAG = re.compile(r"<[^>]*>")
UNSEEN = re.compile(r"<style>.*?</style>|<title>.*?</title>", re.DOTALL)


def at_widths(values: Iterable[Any], fast: Collection[Any]) -> list[Any]:
    """Parameters for a test: each value with `COLUMNS`; the fast ones also with `FAST_COLUMNS`.

    In the fast tier those with `FAST_COLUMNS` run. A tuple holds a value for each argument.
    """
    few = [(*_arguments(value), FAST_COLUMNS) for value in fast]
    return tiers.parameters([*few, *((*_arguments(value), COLUMNS) for value in values)], few)


def _arguments(value: Any) -> tuple[Any, ...]:
    return value if type(value) is tuple else (value,)


def texts(email: EmailMultiAlternatives, widths: range = COLUMNS) -> Iterator[list[str]]:
    """The lines of the e-mail's text as it was sent, and each way in which it may be wrapped."""
    whole = text(email)
    ways: dict[tuple[str, ...], None] = {}
    for source in (whole.splitlines(), _paragraphs(whole), cells(email)):
        ways[tuple(source)] = None
        for columns in widths:
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
