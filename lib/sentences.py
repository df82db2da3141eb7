"""Sentences in a row. A Chinese full stop takes the width of a blank, so none follows it."""

import re
from collections.abc import Iterable

BLANK = re.compile("。((?:</[a-z]+>)*) ")


def in_a_row(sentences: Iterable[str]) -> str:
    """Sentences of the reader's language, joined."""
    return without_blanks(" ".join(sentences))


def without_blanks(text: str) -> str:
    """Text or HTML without blanks behind Chinese full stops."""
    return BLANK.sub(r"。\1", text)
