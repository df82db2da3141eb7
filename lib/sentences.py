"""Joins sentences; a Chinese full stop is as wide as a space, so no space follows it."""

import re
from collections.abc import Iterable

from django.utils.translation import pgettext

BLANK = re.compile("。((?:</[a-z]+>)*) ")


def in_a_row(sentences: Iterable[str]) -> str:
    """Join sentences of any language to one text."""
    return without_blanks(" ".join(sentences))


def without_blanks(text: str) -> str:
    """The text or HTML without spaces after Chinese full stops."""
    return BLANK.sub(r"。\1", text)


def colon() -> str:
    """The separator between a label and its value, which differs from language to language."""
    return pgettext("between a label and its value", ": ")
