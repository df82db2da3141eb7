"""Joins sentences. A Chinese full stop has the width of a space, so no space follows it."""

import re
from collections.abc import Iterable

BLANK = re.compile("。((?:</[a-z]+>)*) ")


def in_a_row(sentences: Iterable[str]) -> str:
    """Join sentences of any language to one text."""
    return without_blanks(" ".join(sentences))


def without_blanks(text: str) -> str:
    """The text or HTML without spaces after Chinese full stops."""
    return BLANK.sub(r"。\1", text)
