"""Switches: the options of a game, their values and a sentence about each.

An edition of a game is a ruleset with other values; a switch says which values there are. Whatever
a player reads of a switch is said here: forms, invitations and help pages repeat it.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

from games.rules.core.basics.refusals import UnknownRuleset, gettext_noop
from games.rules.core.basics.sentence import Sentence

Value = bool | int | str


@dataclass(frozen=True)
class Switch:
    """An option: `choices` pairs every value with the sentence that explains it.

    `title` is its label, `about` a sentence on what it decides.
    """

    name: str
    title: str
    about: str
    choices: tuple[tuple[Value, str], ...]

    def admit(self, value: object) -> Value:
        """The value in its canonical form; raises UnknownRuleset."""
        for known, _ in self.choices:
            # True is equal to 1, but a switch that counts is not one that is on.
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
        for known, words in self.choices:
            if type(known) is type(value) and known == value:
                return Sentence(words, {})
        return self._say_other(value)

    def _say_other(self, value: Value) -> Sentence:
        return Sentence("%(name)s=%(value)s", {"name": self.name, "value": write_value(value)})


@dataclass(frozen=True)
class Number(Switch):
    """An option that is a whole number; `choices` explains the usual ones, `other` any other.

    The rules work from `lowest` to `highest`; games worth playing lie in the range `offered`.
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

    def _say_other(self, value: Value) -> Sentence:
        return Sentence(self.other, {"number": value})


@dataclass(frozen=True)
class Letters(Switch):
    """An option that names any of some pieces; `choices` explains the usual ones, `other` any."""

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

    def _say_other(self, value: Value) -> Sentence:
        return Sentence(self.other, {"letters": ", ".join(str(value))})


def choice(name: str, title: str, about: str, *choices: tuple[Value, str]) -> Any:
    """A field of a ruleset that takes one of the values; the first is its default."""
    return _field(Switch(name, title, about, choices))


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
    """A field of a ruleset that names pieces; the first choice is its default."""
    return _field(Letters(name, title, about, choices, other, among))


def _field(switch: Switch) -> Any:
    return dataclasses.field(default=switch.choices[0][0], metadata={"switch": switch})


def write_value(value: object) -> str:
    """A value as records and messages show it: `true`, `5`, `return`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)[:40] if isinstance(value, int | str) else "?"


def read_value(text: str) -> Value:
    """The value that a text in a record stands for."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
