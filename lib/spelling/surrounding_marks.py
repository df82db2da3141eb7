"""Marks that people and mail programs put around a line: bullets, numbers, emphasis, quotes."""

import re

# Nested marks: a bold bullet within quotation marks, and a few more.
MAX_LAYERS = 8
BULLETS = "-+*•·‣▪◦●○■□►➢–—∙⁃"
EMPHASIS = "*_`"
QUOTATION_MARKS = "\"'“”„‟«»‹›‘’‚‛「」『』"
NUMBER = re.compile(r"\(?[0-9]{1,4}(?:[.)]|\.{2,3})(?=[^0-9.]) *")
CLOSING = re.compile(r"(?<![.。])[.。](?![.。])$|[!,;]$")


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
