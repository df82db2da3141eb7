"""Cleans a line: takes off the marks that mail programs and fingers put around a command.

A line is brought to compatibility form (NFKC) and loses bullets, numbers, emphasis, quotation
marks and the sign that closes a sentence.
"""

import re
import unicodedata

# Of a note, and more than is kept of one, so that a longer one is refused and not cut.
MAX_LINE_CHARACTERS = 2_100
MAX_COMMAND_CHARACTERS = 300
# Bullets in bold within quotation marks, and no deeper.
MAX_LAYERS = 8

# Overrides and embeddings of direction, with which a line is seen otherwise than it is written, and
# control characters.
UNFIT = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Zero-width signs, soft hyphens, marks of direction, variation selectors, and the sign that stands
# for a picture.
UNSEEN = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\ufffc]")
BULLETS = "-+*•·‣▪◦●○■□►➢–—∙⁃"
EMPHASIS = "*_`"
QUOTATION_MARKS = "\"'´“”„‟«»‹›‘’‚‛「」『』"
NUMBER = re.compile(r"\(?[0-9]{1,3}[.)](?=[^0-9.]) *")
CLOSING = re.compile(r"(?<![.。])[.。](?![.。])$|[!,;]$")


def plain(line: str, most: int = MAX_COMMAND_CHARACTERS) -> str:
    """The line in compatibility form with single blanks; empty if it can be no command."""
    if len(line) > most or UNFIT.search(line):
        return ""
    text = " ".join(unicodedata.normalize("NFKC", UNSEEN.sub("", line)).split())
    return text if len(text) <= most else ""


def opened(text: str) -> str:
    """The text without what stands before a command: bullets, numbers, emphasis, quotation."""
    for _ in range(MAX_LAYERS):
        if number := NUMBER.match(text):
            text = text[number.end() :]
        elif text and (text[0] in BULLETS or text[0] in EMPHASIS or text[0] in QUOTATION_MARKS):
            text = text[1:].lstrip()
        else:
            break
    return text


def closed(text: str) -> str:
    """The text without what stands behind a command: a closing sign, emphasis, quotation.

    A question mark stays, and so do dots of which there are several: both make prose of it.
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
