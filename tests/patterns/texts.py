"""Texts on which a pattern may be slow: its own characters and words, repeated many times."""

import string
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from tests.patterns.machine import (
    CHARACTERS,
    REPEATS,
    CharacterSet,
    Machine,
    constants,
    flags_within,
)

LARGE = 8  # a repetition of that many is worth a long text
MAX_WORDS = 4
MAX_PAIRED = 8
MIN_REPETITIONS = 12
# Some of every kind, in addition to those that the pattern names.
USUAL = "aZ5_ \t\n\r.-<~\x00\x7f\xa0éßſıK中\u2028"


class Text(NamedTuple):
    """A text of any length: something repeated, with something before and behind it."""

    before: str
    repeated: str
    after: str

    def of_length(self, characters: int) -> str:
        """About that long, and at least some repetitions."""
        times = max(MIN_REPETITIONS * characters // 100, characters // len(self.repeated))
        return f"{self.before}{self.repeated * times}{self.after}"


class Loop(NamedTuple):
    """A repetition of a pattern, with what may stand before and behind it."""

    before: list[str]
    body: Any
    flags: int
    behind: list[str]


class Texts:
    """The texts for one pattern.

    Those that are not thorough end with what hardly fits anywhere, where most slow patterns try
    again and again, and fewer things stand before what is repeated.
    """

    def __init__(self, machine: Machine, *, thorough: bool = True) -> None:
        self.machine = machine
        self.thorough = thorough
        self.candidates = list(_candidates(machine.tree))
        if machine.is_bytes:
            self.candidates = [sign for sign in self.candidates if sign < "\u0100"]

    def __iter__(self) -> Iterator[Text]:
        """Each once."""
        return iter(dict.fromkeys(text for text in self._all() if text.repeated))

    def _all(self) -> Iterator[Text]:
        machine = self.machine
        alphabet = self.representatives(list(machine.sets.values()))
        loops = list(self._loops(machine.tree, machine.flags, [""], [""]))
        stranger = self._stranger()
        most = MAX_WORDS if self.thorough else 2
        befores = list(dict.fromkeys(["", *(loop.before[0] for loop in loops)]))[:most]
        words = [word for loop in loops for word in self._words_around(loop)]
        ends = ("", stranger, "\n") if self.thorough else (stranger,)
        for before in befores:
            for repeated in (*alphabet, *words):
                for after in ends:
                    yield Text(before, repeated, after)
            for pair in combinations(self._of_loops(loops), 2):
                for after in ends[:2]:
                    yield Text(before, "".join(pair), after)

    def representatives(self, sets: Iterable[CharacterSet]) -> list[str]:
        """One character for each way to be in some of the sets and not in the others."""
        sets = list(sets)
        sign_by_membership: dict[tuple[bool, ...], str] = {}
        for sign in self.candidates:
            sign_by_membership.setdefault(tuple(self._has(one, sign) for one in sets), sign)
        return list(sign_by_membership.values())

    def _stranger(self) -> str:
        """A character that as few sets as possible accept."""
        sets = self.machine.sets.values()
        return min(self.candidates, key=lambda sign: sum(self._has(one, sign) for one in sets))

    def _has(self, one: CharacterSet, sign: str) -> bool:
        return one[ord(sign) if self.machine.is_bytes else sign]

    def _of_loops(self, loops: list[Loop]) -> list[str]:
        """Characters with which a match may begin or a loop go on."""
        machine = self.machine
        sets = [one for loop in loops for one in self._sets(loop.body, loop.flags)]
        if not sets:
            return []
        sets += machine.beginnings(machine.tree, machine.flags) or []
        chosen = self.representatives({id(one): one for one in sets}.values())
        return [sign for sign in chosen if any(self._has(one, sign) for one in sets)][:MAX_PAIRED]

    def _sets(self, items: Any, flags: int) -> Iterator[CharacterSet]:
        for operation, value in items:
            if operation in CHARACTERS:
                yield self.machine.set_of((operation, value), flags)
            for part, within in _parts(operation, value, flags):
                yield from self._sets(part, within)

    def _loops(
        self, items: Any, flags: int, before: list[str], behind: list[str]
    ) -> Iterator[Loop]:
        for number, (operation, value) in enumerate(items):
            rest = _joined(self.words(items[number + 1 :], flags), behind)
            if operation in REPEATS and value[1] >= LARGE:
                yield Loop(before, value[2], flags, rest)
            for part, within in _parts(operation, value, flags):
                yield from self._loops(part, within, before, rest)
            before = _joined(before, self.words([(operation, value)], flags))

    def _words_around(self, loop: Loop) -> Iterator[str]:
        bodies = [word for word in self.words(loop.body, loop.flags) if word]
        for word in bodies:
            yield word
            yield loop.before[-1] + word
            yield loop.before[-1] + word + loop.behind[0]
            yield word + loop.behind[-1]
        yield from loop.before

    def words(self, items: Any, flags: int) -> list[str]:
        """A few texts that fit, short ones first; what only looks ahead or back is passed over."""
        words = [""]
        for operation, value in items:
            words = _joined(words, self._words_of(operation, value, flags) or [""])
        return words[:MAX_WORDS]

    def _words_of(self, operation: Any, value: Any, flags: int) -> list[str]:
        if operation in CHARACTERS:
            accepted = self.machine.set_of((operation, value), flags)
            return [sign for sign in self.candidates if self._has(accepted, sign)][:2]
        if operation in REPEATS:
            least, most, items = value
            once = self.words(items, flags)
            more = [word * max(1, least) for word in once] if most else []
            return more if least else ["", *more]
        if operation in (constants.ASSERT, constants.ASSERT_NOT):
            return [""]
        parts = (self.words(part, within) for part, within in _parts(operation, value, flags))
        return [word for words in parts for word in words]


def _parts(operation: Any, value: Any, flags: int) -> list[tuple[Any, int]]:
    """The sequences within an item of the tree, each with its flags."""
    if operation == constants.SUBPATTERN:
        return [(value[3], flags_within(value, flags))]
    if operation == constants.BRANCH:
        return [(branch, flags) for branch in value[1]]
    if operation in REPEATS:
        return [(value[2], flags)]
    if operation in (constants.ASSERT, constants.ASSERT_NOT):
        return [(value[1], flags)]
    if operation == constants.ATOMIC_GROUP:
        return [(value, flags)]
    if operation == constants.GROUPREF_EXISTS:
        return [(part, flags) for part in value[1:] if part]
    return []


def _joined(ones: list[str], others: list[str]) -> list[str]:
    """Texts side by side, each with its neighbour; the last of a shorter list serves again."""
    return [
        ones[min(number, len(ones) - 1)] + others[min(number, len(others) - 1)]
        for number in range(max(len(ones), len(others)))
    ]


def _candidates(tree: Any) -> dict[str, None]:
    """Characters to choose from: those the pattern names, their neighbours, and the usual ones."""
    named: list[int] = []
    _collect(tree, named)
    near = [code + step for code in named for step in (0, -1, 1)]
    signs = [chr(code) for code in near if 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000]
    # What can be read in a report comes first.
    usual = sorted(signs, key=lambda sign: sign not in string.printable)
    return dict.fromkeys([*usual, *USUAL])


def _collect(items: Any, named: list[int]) -> None:
    for operation, value in items:
        if operation in (constants.LITERAL, constants.NOT_LITERAL):
            named.append(value)
        elif operation == constants.RANGE:
            named += [value[0], value[1], sum(value) // 2]
        elif operation == constants.IN:
            _collect(value, named)
        for part, _ in _parts(operation, value, 0):
            _collect(part, named)
