"""Possessive groups that CPython before 3.11.5 matches wrongly; Debian 12 has 3.11.2.

A round of such a group that fails after its first character leaves the match where it failed,
instead of where the round began (CPython's issue 106052).
"""

from collections.abc import Iterator
from re import Pattern, _parser  # type: ignore[attr-defined]
from typing import Any

from tests.patterns.machine import CHARACTERS, REPEATS, constants


def may_fail_halfway(pattern: Pattern[Any]) -> bool:
    """Whether a round of one of its possessive groups can fail after its first character."""
    return not all(map(_fails_at_once, _rounds(_parser.parse(pattern.pattern, pattern.flags))))


def _rounds(tree: Any) -> Iterator[Any]:
    """What each possessive group of a pattern repeats."""
    for operation, argument in tree:
        if operation is constants.POSSESSIVE_REPEAT:
            yield argument[2]
        for inner in _inside(argument):
            yield from _rounds(inner)


def _inside(argument: Any) -> Iterator[Any]:
    """The patterns in the argument of an operation, however it holds them."""
    if isinstance(argument, _parser.SubPattern):
        yield argument
    elif isinstance(argument, list | tuple):
        for each in argument:
            yield from _inside(each)


def _fails_at_once(tree: Any) -> bool:
    """Whether what fails in it fails at its beginning."""
    if len(tree) != 1:
        return False
    operation, argument = tree[0]
    if operation is constants.SUBPATTERN:
        return _fails_at_once(argument[-1])
    if operation is constants.BRANCH:  # Before each alternative the match goes back.
        return _fails_at_once(argument[1][-1])
    if operation in REPEATS:
        least, _most, repeated = argument
        return least <= 1 and _fails_at_once(repeated)
    return operation in CHARACTERS
