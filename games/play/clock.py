"""Time controls and clocks: pure, in seconds of UTC. Whoever asks brings the instant.

A clock has so much time in its bank. It runs from the instant at which the turn began; the action
that ends the turn takes out what has passed, to the microsecond, and puts the increment in, up to
the cap. A time for each move is the control in which bank, increment and cap are the same.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

GRACE = timedelta(seconds=60)
"""How long a sweep waits after a deadline: a move that arrived in time may still be on its way."""

ZERO = timedelta(0)
DAY = timedelta(days=1)
NONE = "none"  # how "no clock" is written

SPAN = r"([1-9][0-9]{0,3})([dh])"
CONTROL = re.compile(rf"{SPAN}(?:\+{SPAN}(?:\^{SPAN})?)?")


@dataclass(frozen=True)
class TimeControl:
    """How much time a clock begins with, and how it grows."""

    bank: timedelta | None  # none: it never runs out
    increment: timedelta = ZERO
    cap: timedelta | None = None  # above which nothing is kept

    @property
    def saves(self) -> bool:
        """Whether time that is left over serves a later move."""
        return self.bank is not None and not self.bank == self.increment == self.cap

    @property
    def respite(self) -> timedelta:
        """What everybody has at least once the service is back, or a pause is over."""
        return ZERO if self.bank is None else min(DAY, self.bank / 4)

    def refill(self, left: timedelta) -> timedelta:
        """What is in the bank after an action that left so much."""
        grown = left + self.increment
        return grown if self.cap is None else min(grown, self.cap)


@lru_cache
def parse(text: str) -> TimeControl:
    """The time control that is written so; ValueError for anything else.

    "3d" or "36h" is a time for each action. "24h+4h^72h" is a bank of 24 hours, 4 more with each
    action, and 72 at most; without "^" there is no limit. "none" is no clock.
    """
    if text == NONE:
        return TimeControl(None)
    found = CONTROL.fullmatch(text)
    if not found:
        raise ValueError(
            f"{text!r} is no time control; write days as in 3d, hours as in 36h, "
            "a bank as in 24h+4h^72h, or none."
        )
    bank, increment, cap = (_span(*found.group(at, at + 1)) for at in (1, 3, 5))
    assert bank is not None  # noqa: S101 - the pattern wants it
    if increment is None:
        return TimeControl(bank, bank, bank)
    if cap is not None and cap < bank:
        raise ValueError(f"{text!r} begins with more than it lets anybody keep.")
    return TimeControl(bank, increment, cap)


def left(bank: timedelta, since: datetime, at: datetime) -> timedelta:
    """What a clock that runs since then has left."""
    return max(ZERO, bank - (at - since))


def is_late(arrived_at: datetime, deadline: datetime | None) -> bool:
    """A move counts by its arrival; the deadline's own instant is still in time."""
    return deadline is not None and arrived_at > deadline


def rungs(since: datetime, deadline: datetime) -> list[tuple[datetime, int]]:
    """When to remind, in order: 1 at half of the time, 2 at a fifth of it, 3 a day before the end.

    Where there is less than a day in all, the third falls away.
    """
    whole = deadline - since
    steps = [(deadline - whole / 2, 1), (deadline - whole / 5, 2), (deadline - DAY, 3)]
    return sorted((at, rung) for at, rung in steps if since < at < deadline)


def rung_due(since: datetime, deadline: datetime, at: datetime) -> int | None:
    """The reminder to send now: of those whose instant has come, the last."""
    passed = [rung for instant, rung in rungs(since, deadline) if instant <= at]
    return passed[-1] if passed and at < deadline else None


def next_check(since: datetime, deadline: datetime, at: datetime) -> datetime:
    """When somebody has to look at a running clock again: at a reminder, or when it is over."""
    coming = (instant for instant, _rung in rungs(since, deadline) if instant > at)
    return next(coming, deadline + GRACE)


def _span(count: str | None, unit: str | None) -> timedelta | None:
    if count is None:
        return None
    return timedelta(days=int(count)) if unit == "d" else timedelta(hours=int(count))
