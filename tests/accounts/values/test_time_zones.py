"""A time zone is found by its place, however the place is spelled."""

import unicodedata

import pytest

from accounts.values import time_zones


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("São Paulo", "America/Sao_Paulo"),
        (unicodedata.normalize("NFD", "SÃO PAULO"), "America/Sao_Paulo"),
        ("Zürich", "Europe/Zurich"),
        ("Zuerich", "Europe/Zurich"),
        ("New-York", "America/New_York"),
        ("New\u2011York", "America/New_York"),
        ("new\xa0york, USA", "America/New_York"),
        ("Port au Prince", "America/Port-au-Prince"),
        ("St. John’s", "America/St_Johns"),
        ("Ｐａｒｉｓ", "Europe/Paris"),
        ("Europe / Paris", "Europe/Paris"),
        ("İSTANBUL", "Europe/Istanbul"),
        ("Bogotá", "America/Bogota"),
        ("Ürümqi", "Asia/Urumqi"),
        ("Curaçao.", "America/Curacao"),
    ],
)
def test_a_city_is_found_in_any_spelling(typed: str, zone: str) -> None:
    assert time_zones.find(typed) == zone


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Wien", "Europe/Vienna"),
        ("kopenhagen", "Europe/Copenhagen"),
        ("Londres", "Europe/London"),
        ("LE CAIRE", "Africa/Cairo"),
        ("巴黎", "Europe/Paris"),
        ("臺北", "Asia/Taipei"),
        ("紐約", "America/New_York"),
        ("纽约", "America/New_York"),
    ],
)
def test_a_city_is_found_in_the_languages_of_the_site(typed: str, zone: str) -> None:
    assert time_zones.find(typed) == zone


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("Louisville", "America/Kentucky/Louisville"),
        ("Istanbul", "Europe/Istanbul"),
        ("Nicosia", "Asia/Nicosia"),
        ("US/Eastern", "America/New_York"),
        ("Japan", "Asia/Tokyo"),
        ("GB", "Europe/London"),
        ("GMT", "UTC"),
        ("Etc/UTC", "UTC"),
    ],
)
def test_several_names_of_one_zone_are_one(typed: str, zone: str) -> None:
    assert time_zones.find(typed) == zone


def test_every_place_is_found_and_means_its_zone() -> None:
    for name in time_zones.names():
        assert time_zones.find(name) == name
        assert time_zones.find(name.rpartition("/")[2]) is not None, name


@pytest.mark.parametrize("typed", ["", " ", "nowhere", "Paris/Texas", "-", "x" * 10_000])
def test_other_texts_are_no_zone(typed: str) -> None:
    assert time_zones.find(typed) is None
