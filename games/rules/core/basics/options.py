"""Options of a game: their possible values, with a sentence about each.

Forms, invitations and help pages show these sentences and add none of their own.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

from games.rules.core.basics.refusals import UnknownRuleset, gettext_noop
from games.rules.core.basics.sentence import Sentence

Value = bool | int | str


@dataclass(frozen=True)
class Option:
    """An option of a game.

    `name` is its key in records and requests, `title` its label and `about` a sentence on what it
    decides. `choices` pairs every value with the sentence that explains it.
    """

    name: str
    title: str
    about: str
    choices: tuple[tuple[Value, str], ...]

    def admit(self, value: object) -> Value:
        """The value in its canonical form; raises UnknownRuleset."""
        for known, _ in self.choices:
            # True equals 1, but a number and a yes are different values.
            if type(known) is type(value) and known == value:
                return known
        raise UnknownRuleset(
            gettext_noop("The rule option %(name)s has no value %(value)s; it takes %(values)s."),
            name=self.name,
            value=write_value(value),
            values=", ".join(write_value(known) for known, _ in self.choices),
        )

    def say(self, value: Value) -> Sentence:
        """The sentence that explains a value."""
        for known, sentence in self.choices:
            if type(known) is type(value) and known == value:
                return Sentence(sentence, {})
        return self._explain_other(value)

    def _explain_other(self, value: Value) -> Sentence:
        return Sentence("%(name)s=%(value)s", {"name": self.name, "value": write_value(value)})


@dataclass(frozen=True)
class Number(Option):
    """An option that is a whole number; `choices` explains the usual ones, `other` any other.

    The rules accept `lowest` to `highest`; forms offer the smaller range `offered`.
    """

    other: str = ""
    lowest: int = 0
    highest: int = 0
    offered: tuple[int, int] = (0, 0)

    def admit(self, value: object) -> Value:
        if type(value) is int and self.lowest <= value <= self.highest:
            return value
        raise UnknownRuleset(
            gettext_noop(
                "The rule option %(name)s is a whole number from %(lowest)s to %(highest)s."
            ),
            name=self.name,
            lowest=self.lowest,
            highest=self.highest,
        )

    def _explain_other(self, value: Value) -> Sentence:
        return Sentence(self.other, {"number": value})


@dataclass(frozen=True)
class Letters(Option):
    """An option that selects kinds of pieces by letter; `other` explains unusual selections."""

    other: str = ""
    letters: str = ""

    def admit(self, value: object) -> Value:
        if type(value) is str and set(value) <= set(self.letters):
            return "".join(letter for letter in self.letters if letter in value)
        raise UnknownRuleset(
            gettext_noop("The rule option %(name)s takes letters out of %(letters)s."),
            name=self.name,
            letters=self.letters,
        )

    def _explain_other(self, value: Value) -> Sentence:
        return Sentence(self.other, {"letters": ", ".join(str(value))})


def choice(name: str, title: str, about: str, *choices: tuple[Value, str]) -> Any:
    """A field of a ruleset that takes one of the values; the first is its default."""
    return _field(Option(name, title, about, choices))


def number(
    name: str,
    title: str,
    about: str,
    *choices: tuple[Value, str],
    other: str,
    lowest: int,
    highest: int,
    offered: tuple[int, int],
) -> Any:
    """A field of a ruleset that is a whole number; the first choice is its default."""
    return _field(Number(name, title, about, choices, other, lowest, highest, offered))


def letters(
    name: str, title: str, about: str, among: str, *choices: tuple[Value, str], other: str
) -> Any:
    """A field of a ruleset that selects kinds of pieces; the first choice is its default."""
    return _field(Letters(name, title, about, choices, other, among))


def _field(option: Option) -> Any:
    return dataclasses.field(default=option.choices[0][0], metadata={"option": option})


def write_value(value: object) -> str:
    """A value as records and messages show it: `true`, `5`, `return`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)[:40] if isinstance(value, int | str) else "?"


def read_value(text: str) -> Value:
    """The value of a text in a record, the reverse of `write_value`."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
