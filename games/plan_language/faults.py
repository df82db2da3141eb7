"""Faults of plan lines: sentences for the owner, to be translated when shown.

`str` of a fault is its template alone, so that no log or traceback can show what a plan says.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

MAX_FAULTS = 20  # listed for one text
MAX_QUOTED_CHARACTERS = 40
REASON = "%(reason)s"  # the template of a line that another refusal explains


def gettext_noop(message: str) -> str:
    """Mark a message for translation and return it unchanged."""
    return message


class BadLine(ValueError):  # noqa: N818 - a refusal is an answer and no error.
    """A line of a plan that is not accepted.

    `template` is an English sentence with `%(name)s` placeholders, `values` replace them. A
    value may be a refusal of the rules, which is a sentence of its own.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template)
        self.template = template
        self.values: Mapping[str, object] = values


class Fault(NamedTuple):
    """What is wrong with one line of a text: its number, from 1 and with blank lines counted.

    0 is the number of a fault of the text as a whole.
    """

    number: int
    bad: BadLine


AND_MORE = Fault(
    0, BadLine(gettext_noop("Only the first %(limit)s faults are listed."), limit=MAX_FAULTS)
)


def listed(faults: Iterable[Fault], *, more: bool = False) -> tuple[Fault, ...]:
    """The first MAX_FAULTS faults by line; behind them AND_MORE if there are, or may be, more."""
    every = list(faults)
    named = sorted((each for each in every if each is not AND_MORE), key=lambda each: each.number)
    if more or AND_MORE in every or len(named) > MAX_FAULTS:
        return (*named[:MAX_FAULTS], AND_MORE)
    return tuple(named)


def quoted(text: str) -> str:
    """The beginning of a text, short enough for a sentence."""
    return text[:MAX_QUOTED_CHARACTERS]
