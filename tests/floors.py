"""Minimum numbers of cases of a loop, since a loop over none would pass."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def at_least(number: int, things: Iterable[T]) -> list[T]:
    """The things as a list; fails if there are fewer than so many."""
    listed = list(things)
    assert len(listed) >= number, (
        f"There are {len(listed)} to test, and should be {number} or more."
    )
    return listed
