"""Time zones by IANA name: suggestions for forms, validation, look-up."""

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.core.exceptions import ValidationError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from lib.spelling import typed_text

DEFAULT = "UTC"
MAX_CHARACTERS = 64
CITY_NAMES = Path(__file__).with_name("city_names.tsv")
_UTC = ("Etc/UTC", "Etc/GMT", "GMT", "UCT", "Etc/UCT", "Zulu", "Etc/Zulu", "Universal")
_UMLAUTS = re.compile("([aou])e")

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
def _by_spelling() -> dict[str, str]:
    """Every zone by the letters and digits of its name and its place, in each language.

    Zones that always have the same time are one zone, as Calcutta and Kolkata are: a place that
    two of them share is found in the one that the tables of the time zone data list.
    """
    spelled: dict[str, str] = {}
    by_place: dict[str, set[str]] = {}
    for zone in sorted(available_timezones()):
        spelling = typed_text.letters_and_digits(zone)
        if zone in names():
            spelled[spelling] = zone
            place = typed_text.letters_and_digits(zone.rpartition("/")[2])
            by_place.setdefault(place, set()).add(zone)
        elif place_zone := _place_of(zone):
            spelled.setdefault(spelling, place_zone)
    for place, zones in by_place.items():
        if len({_rules_of(zone) for zone in zones}) == 1:
            spelled.setdefault(place, min(zones, key=_rank))
    for zone, cities in _translated():
        for city in cities if zone in names() else ():
            spelled.setdefault(typed_text.letters_and_digits(city), zone)
    return spelled


def _translated() -> Iterator[tuple[str, list[str]]]:
    """Zones with the names of their cities in the languages of the site."""
    for line in CITY_NAMES.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            zone, *cities = line.split("\t")
            yield zone, cities


def _place_of(zone: str) -> str | None:
    """The zone of a place with the rules of an older name, such as Japan or US/Eastern."""
    if zone in _UTC:
        return DEFAULT
    return min(_places().get(_rules_of(zone), ()), key=_rank, default=None)


@cache
def _places() -> dict[bytes, list[str]]:
    """The zones of places by their rules."""
    places: dict[bytes, list[str]] = {}
    for zone in names() - {DEFAULT}:
        places.setdefault(_rules_of(zone), []).append(zone)
    return places


def _rank(zone: str) -> tuple[bool, int, str]:
    """The zones that the tables list come first, then short names."""
    return zone not in _listed(), len(zone), zone


@cache
def _listed() -> frozenset[str]:
    """The zones of places that are listed, without older names; empty if there is no list."""
    try:
        table = resources.files("tzdata.zoneinfo").joinpath("zone1970.tab").read_text("utf-8")
    except OSError:
        return frozenset()
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return frozenset(row[2] for row in rows if len(row) > 2)


@cache
def _rules_of(zone: str) -> bytes:
    """A digest of the data of a zone; equal for two names of one zone."""
    parts = resources.files("tzdata.zoneinfo").joinpath(*zone.split("/"))
    try:
        return sha256(parts.read_bytes()).digest()
    except OSError:
        return zone.encode()


def find(text: str) -> str | None:
    """The zone for "Europe/Paris", "paris", "New-York" or "Wien"; None if there is none."""
    text = text[:MAX_CHARACTERS]
    # "Zuerich" is how Zürich is written without umlauts, and "Paris, France" has its country.
    spellings = (text, text.partition(",")[0], text.partition("(")[0])
    for spelling in map(typed_text.letters_and_digits, spellings):
        for written in (spelling, _UMLAUTS.sub(r"\1", spelling)):
            if zone := _by_spelling().get(written):
                return zone
    return None


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
