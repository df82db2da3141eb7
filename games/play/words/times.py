"""Formatting of instants, durations and time controls, in the reader's language and time zone."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone, get_current_timezone_name, localtime
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.play import time_controls

SOON, URGENT = timedelta(days=1), timedelta(hours=6)


class Locale(NamedTuple):
    """How a reader reads times; for many of them it is looked up once, with `reader_locale`."""

    zone: tzinfo
    language: str


def reader_locale() -> Locale:
    """The time zone and the language of the reader."""
    return Locale(get_current_timezone(), get_language())


def clock_time(at: datetime, now: datetime, locale: Locale | None = None) -> str:
    """The time of day of an instant in the reader's time zone; with its day, if not today."""
    locale = locale or reader_locale()
    local = localtime(at, locale.zone)
    if local.date() != localtime(now, locale.zone).date():
        return in_full(at, locale)
    return date_format(local, "TIME_FORMAT")


def in_full(instant: datetime, locale: Locale | None = None) -> str:
    """An instant to the minute, in the reader's time zone."""
    return _in_full(instant.replace(second=0, microsecond=0), *(locale or reader_locale()))


def with_zone(instant: datetime) -> str:
    """An instant in the reader's time zone, with the zone's name."""
    return _("%(at)s (%(zone)s)") % {"at": in_full(instant), "zone": get_current_timezone_name()}


@dataclass(frozen=True)
class Instant:
    """A value of a refusal: an instant in the language and time zone of its reader."""

    at: datetime

    def __str__(self) -> str:
        return with_zone(self.at)


@lru_cache(maxsize=10_000)
def _in_full(minute: datetime, zone: tzinfo, _language: str) -> str:
    return date_format(localtime(minute, zone), "DATETIME_FORMAT")


def in_words(left: timedelta) -> str:
    """A span of time in its two greatest units, rounded down: "2 days 4 hours"."""
    units = in_units(left)
    if len(units) == 1:
        return units[0]
    return _("%(greater)s %(lesser)s") % {"greater": units[0], "lesser": units[1]}


def in_units(left: timedelta, language: str | None = None) -> tuple[str, ...]:
    """The words of `in_words` as a list, the greater unit first: "2 days", "4 hours"."""
    minutes = int(left.total_seconds() // 60)
    if minutes < 0:
        return (_("time is up"),)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    return _units(days, hours, 0 if days else minutes, language or get_language())


@lru_cache(maxsize=10_000)
def _units(days: int, hours: int, minutes: int, _language: str) -> tuple[str, ...]:
    parts = [
        ngettext("%(n)d day", "%(n)d days", days) % {"n": days} if days else "",
        ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours} if hours else "",
        # A whole hour has no "0 minutes", and less than a minute is left out.
        ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
        if not days and (minutes or not hours)
        else "",
    ]
    return tuple(part for part in parts if part)


def span(text: str) -> str:
    """A time control in a few words: "3 days per move", "1 day + 4 hours, at most 3 days"."""
    control = time_controls.parse(text)
    if control.bank is None:
        return _("no time limit")
    if not control.accumulates:
        return _("%(time)s per move") % {"time": _length(control.bank)}
    values = {"bank": _length(control.bank), "increment": _length(control.increment)}
    if control.cap is None:
        return _("%(bank)s + %(increment)s") % values
    return _("%(bank)s + %(increment)s, at most %(cap)s") % {**values, "cap": _length(control.cap)}


def setup_time(text: str) -> str:
    """The time for the set-up, which always has a limit and never accumulates: "3 days"."""
    bank = time_controls.parse(text).bank
    assert bank is not None  # noqa: S101 - the lobby refuses a set-up without a limit
    return _length(bank)


def pace(text: str) -> str:
    """A time control in a sentence."""
    control = time_controls.parse(text)
    if control.bank is None:
        return _("No time limit.")
    if not control.accumulates:
        return _("%(time)s per move.") % {"time": _length(control.bank)}
    values = {"bank": _length(control.bank), "increment": _length(control.increment)}
    if control.cap is None:
        return _("%(bank)s for the match, plus %(increment)s with each move.") % values
    return _(
        "%(bank)s for the match, plus %(increment)s with each move, up to %(cap)s at a time."
    ) % {**values, "cap": _length(control.cap)}


def _length(time: timedelta) -> str:
    """A length of time in whole days if it is a multiple, else in hours."""
    days, rest = divmod(time, time_controls.DAY)
    if not rest:
        return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}
    hours = time // timedelta(hours=1)
    return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
