"""Days off and nights, in a player's time zone: a deadline within them moves to their end.

Clocks run on during a rest; only a deadline within it moves to its end. So no player gains more
than the rest itself, and daylight saving time needs no special case.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from accounts.values import time_zones

MAX_DAYS_OFF_A_WEEK = 2
MAX_NIGHT_HOURS = 10

Interval = tuple[datetime, datetime]  # first hour, and the hour after the last


@dataclass(frozen=True)
class Rest:
    """A player's weekly days off and nightly hours, in one time zone; raises ValueError."""

    days: frozenset[int] = frozenset()  # Monday is 0
    night: tuple[int, int] | None = None  # hours 0 to 23: the first, and the hour after the last
    zone: str = "UTC"

    def __post_init__(self) -> None:
        if len(self.days) > MAX_DAYS_OFF_A_WEEK or not all(0 <= day < 7 for day in self.days):
            raise ValueError(f"At most {MAX_DAYS_OFF_A_WEEK} days of the week may be days off.")
        if self.night is not None:
            begin, end = self.night
            if not (0 <= begin < 24 and 0 <= end < 24 and night_hours(begin, end) > 0):
                raise ValueError("A night is from one full hour to another.")
            if night_hours(begin, end) > MAX_NIGHT_HOURS:
                raise ValueError(f"A night has at most {MAX_NIGHT_HOURS} hours.")

    def __str__(self) -> str:
        """The format of `parse`: "56 22-8 Europe/Paris" is Saturday, Sunday and the nights."""
        days = "".join(map(str, sorted(self.days))) or "-"
        night = "-" if self.night is None else "{}-{}".format(*self.night)
        return f"{days} {night} {self.zone}" if self.days or self.night else ""

    def end(self, at: datetime) -> datetime:
        """The end of the rest that contains `at`; `at` itself if none does."""
        zone = time_zones.read(self.zone)
        local = at.astimezone(zone)
        if local.weekday() in self.days:
            return _instant(local, 1, 0, zone)
        if self.night is not None:
            begin, end = self.night
            if begin > end and local.hour >= begin:
                return _instant(local, 1, end, zone)
            if local.hour < end and (begin > end or local.hour >= begin):
                return _instant(local, 0, end, zone)
        return at


def first_outside_rest(at: datetime, rest: Rest, away: Iterable[Interval] = ()) -> datetime:
    """The first instant from `at` on that is in no rest and in no interval of `away`."""
    intervals = sorted(away)
    while True:
        moved = rest.end(at)
        for begin, end in intervals:
            if begin <= moved < end:
                moved = end
        if moved == at:
            return at
        at = moved


@lru_cache
def parse(text: str) -> Rest:
    """Read the format of `str(rest)`; an empty rest for "", ValueError for anything else."""
    if not text:
        return Rest()
    try:
        days, night, zone = text.split(" ")
        begin, dash, end = night.partition("-")
        hours = (int(begin), int(end)) if begin and dash else None
        return Rest(frozenset(int(day) for day in days if day != "-"), hours, zone)
    except TypeError:
        raise ValueError(f"{text!r} is no rest; write it as in 56 22-8 Europe/Paris.") from None


def night_hours(begin: int, end: int) -> int:
    """The hours of a night from `begin` to `end`, both 0 to 23; 0 if they are the same."""
    return (end - begin) % 24


def _instant(local: datetime, days: int, hour: int, zone: ZoneInfo) -> datetime:
    """The instant at which clocks in `zone` show that hour; the later one if it occurs twice."""
    day = local.date() + timedelta(days=days)
    wall = datetime.combine(day, time(hour), tzinfo=zone)
    first, second = (wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    # An hour that is skipped in spring ends when the clocks are put forward, which is `first`.
    return first if first > local.astimezone(UTC) else second
