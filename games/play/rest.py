"""Days off and nights, in a player's own zone: pure. No deadline falls into them.

Time runs on through a rest; a deadline that would fall into one moves to its end. So nobody gains
more than the rest itself, and a budget of seconds stays one on the nights when clocks are changed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from accounts import zones

MOST_DAYS = 2  # of a week
LONGEST_NIGHT = 10  # hours

Stretch = tuple[datetime, datetime]  # from, and up to without it


@dataclass(frozen=True)
class Rest:
    """When a player rests, by the clocks of one zone."""

    days: frozenset[int] = frozenset()  # Monday is 0
    night: tuple[int, int] | None = None  # whole hours; up to the second, without it
    zone: str = "UTC"

    def __post_init__(self) -> None:
        if len(self.days) > MOST_DAYS or not all(0 <= day < 7 for day in self.days):
            raise ValueError(f"At most {MOST_DAYS} days of the week may be days off.")
        if self.night is not None:
            begin, end = self.night
            if not (0 <= begin < 24 and 0 <= end < 24 and night_hours(begin, end) > 0):
                raise ValueError("A night is from one full hour to another.")
            if night_hours(begin, end) > LONGEST_NIGHT:
                raise ValueError(f"A night has at most {LONGEST_NIGHT} hours.")

    def __str__(self) -> str:
        """As `read` takes it: "56 22-8 Europe/Paris" is Saturday, Sunday and the nights."""
        days = "".join(map(str, sorted(self.days))) or "-"
        night = "-" if self.night is None else "{}-{}".format(*self.night)
        return f"{days} {night} {self.zone}" if self.days or self.night else ""

    def end(self, at: datetime) -> datetime:
        """The end of the rest at that instant; the instant itself if there is none."""
        zone = zones.read(self.zone)
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


def spare(at: datetime, rest: Rest, away: Iterable[Stretch] = ()) -> datetime:
    """The first instant from `at` on that lies in no rest and in no stretch of `away`."""
    stretches = sorted(away)
    while True:
        moved = rest.end(at)
        for begin, end in stretches:
            if begin <= moved < end:
                moved = end
        if moved == at:
            return at
        at = moved


@lru_cache
def read(text: str) -> Rest:
    """The rest that is written so, none for ""; ValueError for anything else."""
    if not text:
        return Rest()
    try:
        days, night, zone = text.split(" ")
        begin, dash, end = night.partition("-")
        hours = (int(begin), int(end)) if begin and dash else None
        return Rest(frozenset(int(day) for day in days if day != "-"), hours, zone)
    except TypeError:
        raise ValueError(f"{text!r} tells of no rest.") from None


def night_hours(begin: int, end: int) -> int:
    """How many hours a night has from one hour to another; 0 if they are the same."""
    return (end - begin) % 24


def _instant(local: datetime, days: int, hour: int, zone: ZoneInfo) -> datetime:
    """That hour of that day by those clocks, the later one if clocks show it twice."""
    day = local.date() + timedelta(days=days)
    wall = datetime.combine(day, time(hour), tzinfo=zone)
    first, second = (wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    # An hour that is left out ends the moment the clocks are put on, which is what the first says.
    return first if first > local.astimezone(UTC) else second
