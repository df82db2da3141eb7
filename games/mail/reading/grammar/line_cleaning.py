"""Normalizes a line of a message, within limits; nothing is made of a line that could deceive."""

import re

from lib.spelling import typed_text

# Limit of a note; more than is kept of one, so that a longer note is refused and not cut.
MAX_LINE_CHARACTERS = 2_100
MAX_COMMAND_CHARACTERS = 300

# Control characters, and bidirectional overrides and embeddings, with which a line may look
# different from what it says.
FORBIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f-\x9f]")


def normalize(line: str, max_characters: int = MAX_COMMAND_CHARACTERS) -> str:
    """The line in NFKC with single spaces; "" if it is too long or has forbidden characters."""
    if len(line) > max_characters or FORBIDDEN.search(line):
        return ""
    text = typed_text.plain(line)
    return text if len(text) <= max_characters else ""
