"""Cleans a line: removes marks that mail programs and people put around a command.

The line is normalized (NFKC); bullets, list numbers, emphasis, quotation marks and final
punctuation are removed.
"""

import re
import unicodedata

# Limit of a note; more than is kept of one, so that a longer note is refused and not cut.
MAX_LINE_CHARACTERS = 2_100
MAX_COMMAND_CHARACTERS = 300
# Nested marks: a bold bullet within quotation marks, and a few more.
MAX_LAYERS = 8

# Control characters, and bidirectional overrides and embeddings, with which a line may look
# different from what it says.
FORBIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Zero-width characters, soft hyphens, direction marks, variation selectors, and the object
# replacement character.
UNSEEN = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\ufffc]")
BULLETS = "-+*•·‣▪◦●○■□►➢–—∙⁃"
EMPHASIS = "*_`"
QUOTATION_MARKS = "\"'´“”„‟«»‹›‘’‚‛「」『』"
NUMBER = re.compile(r"\(?[0-9]{1,3}[.)](?=[^0-9.]) *")
CLOSING = re.compile(r"(?<![.。])[.。](?![.。])$|[!,;]$")


def normalize(line: str, max_characters: int = MAX_COMMAND_CHARACTERS) -> str:
    """The line in NFKC with single spaces; "" if it is too long or has forbidden characters."""
    if len(line) > max_characters or FORBIDDEN.search(line):
        return ""
    text = " ".join(unicodedata.normalize("NFKC", UNSEEN.sub("", line)).split())
    return text if len(text) <= max_characters else ""


def strip_opening(text: str) -> str:
    """The text without leading bullets, list numbers, emphasis and quotation marks."""
    for _ in range(MAX_LAYERS):
        if number := NUMBER.match(text):
            text = text[number.end() :]
        elif text and (text[0] in BULLETS or text[0] in EMPHASIS or text[0] in QUOTATION_MARKS):
            text = text[1:].lstrip()
        else:
            break
    return text


def strip_closing(text: str) -> str:
    """The text without trailing punctuation, emphasis and quotation marks.

    A question mark and an ellipsis stay: with them the line is prose.
    """
    for _ in range(MAX_LAYERS):
        text = text.rstrip()
        if closing := CLOSING.search(text):
            text = text[: closing.start()]
        elif text and (text[-1] in EMPHASIS or text[-1] in QUOTATION_MARKS):
            text = text[:-1]
        else:
            break
    return text
