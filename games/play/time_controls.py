"""Time controls: how much time a clock has, when it runs out and when to remind. Pure functions.

A clock holds a time bank. It runs from the instant at which the turn began; the action that ends
the turn subtracts the time passed, to the microsecond, and adds the increment, up to the cap. A
fixed time per move is a time control whose bank, increment and cap are equal. The caller passes in
all instants, aware and in any zone.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

DEADLINE_GRACE = timedelta(seconds=60)
"""How long a sweep waits after a deadline: a move that arrived in time may not be stored yet.

Until the match has been ended, an action within it counts as well.
"""

ZERO = timedelta(0)
DAY = timedelta(days=1)
NO_CLOCK = "none"  # in the format of `parse`
MIN_DEFAULT_SETUP_DAYS = 3  # players may choose fewer
SETUP_DAYS_WITHOUT_CLOCK = 14  # a set-up always has a limit

SPAN = r"([1-9][0-9]{0,3})([dh])"
CONTROL = re.compile(rf"{SPAN}(?:\+{SPAN}(?:\^{SPAN})?)?")


@dataclass(frozen=True)
class TimeControl:
    """How much time a clock begins with, and what each action adds."""

    bank: timedelta | None  # None: no clock
    increment: timedelta = ZERO
    cap: timedelta | None = None  # the most that the bank may hold

    @property
    def accumulates(self) -> bool:
        """Whether unused time is kept for later moves."""
        return self.bank is not None and not self.bank == self.increment == self.cap

    @property
    def respite(self) -> timedelta:
        """The minimum time left after an outage or pause: a day, or a quarter of a smaller bank."""
        return ZERO if self.bank is None else min(DAY, self.bank / 4)

    def refill(self, left: timedelta) -> timedelta:
        """The bank after an action that left `left` on the clock."""
        grown = left + self.increment
        return grown if self.cap is None else min(grown, self.cap)


@lru_cache
def parse(text: str) -> TimeControl:
    """Parse a time control; raises ValueError.

    "3d" or "36h" is a fixed time for each action. "24h+4h^72h" is a bank of 24 hours, 4 more with
    each action, and 72 at most; without "^" there is no limit. "none" is no clock.
    """
    if text == NO_CLOCK:
        return TimeControl(None)
    match = CONTROL.fullmatch(text)
    if not match:
        raise ValueError(
            f"{text!r} is no time control; write days as in 3d, hours as in 36h, "
            "a bank as in 24h+4h^72h, or none."
        )
    bank, increment, cap = (_span(*match.group(at, at + 1)) for at in (1, 3, 5))
    assert bank is not None  # noqa: S101 - the pattern wants it
    if increment is None:
        return TimeControl(bank, bank, bank)
    if cap is not None and cap < bank:
        raise ValueError(f"{text!r} begins with more than it lets anybody keep.")
    return TimeControl(bank, increment, cap)


def default_setup_pace(pace: str) -> str:
    """The default time control of a set-up, for the moves' time control; raises ValueError."""
    bank = parse(pace).bank
    days = SETUP_DAYS_WITHOUT_CLOCK if bank is None else max(MIN_DEFAULT_SETUP_DAYS, bank.days)
    return f"{days}d"


def time_left(bank: timedelta, since: datetime, at: datetime) -> timedelta:
    """The time left on a clock that runs since `since`; zero if its time is up."""
    return max(ZERO, bank - (at - since))


def is_late(arrived_at: datetime, deadline: datetime | None) -> bool:
    """Whether an arrival is after the deadline; exactly at the deadline is in time."""
    return deadline is not None and arrived_at > deadline


def reminder_times(since: datetime, deadline: datetime) -> list[tuple[datetime, int]]:
    """The reminder steps with their instants, in order.

    1: half of the time is left; 2: a fifth is left; 3: a day before the deadline, left out if the
    total is less than a day.
    """
    whole = deadline - since
    steps = [(deadline - whole / 2, 1), (deadline - whole / 5, 2), (deadline - DAY, 3)]
    return sorted((at, step) for at, step in steps if since < at < deadline)


def reminder_due(since: datetime, deadline: datetime, at: datetime) -> int | None:
    """The reminder step to send at `at`: the last whose instant has passed; None if none has."""
    passed = [step for instant, step in reminder_times(since, deadline) if instant <= at]
    return passed[-1] if passed and at < deadline else None


def next_check(since: datetime, deadline: datetime, at: datetime) -> datetime:
    """When to check a running clock next: at the next reminder, or after deadline and grace."""
    coming = (instant for instant, _step in reminder_times(since, deadline) if instant > at)
    return next(coming, deadline + DEADLINE_GRACE)


def _span(count: str | None, unit: str | None) -> timedelta | None:
    if count is None:
        return None
    return timedelta(days=int(count)) if unit == "d" else timedelta(hours=int(count))
