"""Faults of plan lines: sentences for the owner, to be translated when shown.

`str` of a fault is its template alone, so that no log or traceback can show what a plan says.
"""

from collections.abc import Mapping
from typing import NamedTuple

MAX_QUOTED_CHARACTERS = 40
REASON = "%(reason)s"  # the template of a line that another refusal explains


def gettext_noop(message: str) -> str:
    """Mark a message for translation and return it unchanged."""
    return message


class BadLine(ValueError):  # noqa: N818 - a refusal is an answer and no error.
    """A line of a plan that is not accepted.

    `template` is an English sentence with `%(name)s` placeholders, `facts` are their values. A
    fact may be a refusal of the rules, which is a sentence of its own.
    """

    def __init__(self, template: str, /, **facts: object) -> None:
        super().__init__(template)
        self.template = template
        self.facts: Mapping[str, object] = facts


class Fault(NamedTuple):
    """What is wrong with one line of a text: its number, from 1 and with blank lines counted.

    0 is the number of a fault of the text as a whole.
    """

    number: int
    bad: BadLine


def quoted(text: str) -> str:
    """The beginning of a text, short enough for a sentence."""
    return text[:MAX_QUOTED_CHARACTERS]
