"""Limits of ladders, in pure Python: who is within reach, how long a member may be idle."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from math import ceil

MOST_OUT = 2  # running challenges of one member
MOST_IN = 2  # running challenges to one member
MOST_IN_AT_THE_TOP = 3
TOP_PLACES = 5
# A challenge counts as one "in" for so long: friends who never finish would shield a place.
COUNTS_AS_IN = timedelta(days=30)
PAIR_REST = timedelta(days=14)  # after a challenge is final, before the next of the same two
SHIELD = timedelta(days=14)  # how long a vacation protects from challenges
# A vacation that begins so soon after another one continues it.
VACATION_GAP = timedelta(days=1)
MOST_MISSES = 2  # challenges missed within MISS_PERIOD
MISS_PERIOD = timedelta(days=90)
BACK_AFTER = timedelta(days=30)  # once dropped for missing matches
IDLE_WARNING = timedelta(days=38)
IDLE = timedelta(days=45)

Interval = tuple[datetime, datetime]


def reach(members: int) -> int:
    """How many places above their own a member may challenge."""
    return min(10, max(3, ceil(members / 10)))


def most_in(place: int) -> int:
    """How many challenges to the member at a place may run."""
    return MOST_IN_AT_THE_TOP if place <= TOP_PLACES else MOST_IN


def after(start: datetime, span: timedelta, away: Iterable[Interval]) -> datetime:
    """The instant at which `span` has passed since `start`, not counting the intervals `away`."""
    at, left = start, span
    for begin, end in sorted(away):
        if begin - at >= left:
            break
        left -= max(begin - at, timedelta(0))
        at = max(at, end)
    return at + left


def away_since(vacations: Iterable[Interval], at: datetime) -> datetime | None:
    """Since when somebody is on vacation at an instant; None if they are not.

    Vacations that follow each other within VACATION_GAP are one.
    """
    since: datetime | None = None
    until: datetime | None = None
    for begin, end in sorted(vacations):
        if begin > at:
            break
        if since is None or until is None or begin - until > VACATION_GAP:
            since, until = begin, end
        else:
            until = max(until, end)
    return since if until is not None and until > at else None
