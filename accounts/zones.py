"""Time zones by IANA name: choices for forms, validation, look-up."""

from collections.abc import Iterable
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

DEFAULT = "UTC"

_CONTINENTS = (
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)


@cache
def names() -> frozenset[str]:
    """UTC, and every zone that is named after a place."""
    places = (name for name in available_timezones() if name.startswith(_CONTINENTS))
    return frozenset((DEFAULT, *places))


@cache
def choices() -> Iterable[tuple[str, object]]:
    """Choices of a select: UTC, then the places of each continent."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names() - {DEFAULT}):
        continent, _slash, place = name.partition("/")
        groups.setdefault(continent, []).append((name, place.replace("_", " ")))
    return [(DEFAULT, DEFAULT), *groups.items()]


def validate_zone(name: str) -> None:
    """Raises ValidationError unless `name` is one of `names()`."""
    if name not in names():
        raise ValidationError(
            _("There is no time zone with this name. Choose a place in yours."), code="zone"
        )


def read(name: str) -> ZoneInfo:
    """The zone of this name; UTC for a name that the machine's time zone data does not have."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(DEFAULT)
