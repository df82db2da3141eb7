"""Time zones by IANA name: suggestions for forms, validation, look-up."""

from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.core.exceptions import ValidationError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
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
    """UTC and every zone that is named after a place."""
    places = (name for name in available_timezones() if name.startswith(_CONTINENTS))
    return frozenset((DEFAULT, *places))


@cache
def _by_plain_name() -> dict[str, str]:
    """Every zone by its plain name, and by its place's plain name unless zones share it."""
    by_place: dict[str, str] = {}
    shared = set()
    for name in names():
        place = _plain(name.rpartition("/")[2])
        shared |= {place} & by_place.keys()
        by_place[place] = name
    return {place: name for place, name in by_place.items() if place not in shared} | {
        _plain(name): name for name in names()
    }


def _plain(text: str) -> str:
    return " ".join(text.replace("_", " ").lower().split())


def find(text: str) -> str | None:
    """The zone for "Europe/Paris", "paris" or "new york"; None if there is none."""
    return _by_plain_name().get(_plain(text))


@cache
def datalist(html_id: str) -> SafeString:
    """All zones as an HTML datalist; cached, since there are over four hundred."""
    options = format_html_join("", '<option value="{}">', ((name,) for name in sorted(names())))
    return format_html('<datalist id="{}">{}</datalist>', html_id, options)


def validate_zone(name: str) -> None:
    """Raise ValidationError unless `name` is one of `names()`."""
    if name not in names():
        raise ValidationError(
            _("There is no time zone with this name. Choose a city in your time zone."), code="zone"
        )


def read(name: str) -> ZoneInfo:
    """The zone of this name; UTC if the machine's time zone data lacks it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(DEFAULT)
