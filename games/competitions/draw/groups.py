"""Groups of a stage: how many there are, and who plays in which."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from games.competitions.draw.lots import by_lot

MIN_GROUP, MAX_GROUP = 3, 10  # players


class Grouping(StrEnum):
    """How entries are dealt to groups, by their ratings."""

    EVEN = "even"  # groups of about the same strength
    SECTIONS = "sections"  # the strongest in the first group, and so on


class Entrant(NamedTuple):
    """A user by number, with the rating at the draw."""

    user: int
    rating: float


def group_count(entries: int, size: int) -> int:
    """How many groups of at most `size` players there are, each of at least three if possible."""
    count = max(1, -(-entries // size))
    while count > 1 and entries // count < MIN_GROUP:
        count -= 1
    return count


def largest_group(most: int, size: int) -> int:
    """The most players in a group when up to `most` enter.

    More than `size` if groups of that size would leave fewer than three players for another.
    """
    return max(-(-entries // group_count(entries, size)) for entries in range(MIN_GROUP, most + 1))


def deal(
    entrants: Sequence[Entrant], size: int, grouping: Grouping, seed: str
) -> list[list[Entrant]]:
    """The groups of a stage, each in the order of its lots."""
    ranked = sorted(entrants, key=lambda entrant: (-entrant.rating, entrant.user))
    count = group_count(len(ranked), size)
    dealt = _snake(ranked, count) if grouping == Grouping.EVEN else _sections(ranked, count)
    return [by_lot(group, seed, lambda entrant: entrant.user) for group in dealt]


def _snake(ranked: Sequence[Entrant], count: int) -> list[list[Entrant]]:
    """Dealt one by one to the groups from the first to the last, then back."""
    groups: list[list[Entrant]] = [[] for _ in range(count)]
    for place, entrant in enumerate(ranked):
        turn, step = divmod(place, count)
        groups[step if turn % 2 == 0 else count - 1 - step].append(entrant)
    return groups


def _sections(ranked: Sequence[Entrant], count: int) -> list[list[Entrant]]:
    """Cut into runs, the longer ones first."""
    shorter, longer_runs = divmod(len(ranked), count)
    groups, start = [], 0
    for number in range(count):
        end = start + shorter + (number < longer_runs)
        groups.append(list(ranked[start:end]))
        start = end
    return groups
