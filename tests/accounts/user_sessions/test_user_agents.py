"""User agents in words."""

import pytest

from accounts.user_sessions.user_agents import in_words
from accounts.values import time_zones

KIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0", "Firefox on Linux"),
        (
            f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {KIT} Chrome/142.0 Safari/537.36 Edg/142.0",
            "Edge on Windows",
        ),
        (
            f"Mozilla/5.0 (Linux; Android 15) {KIT} Chrome/142.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        ("Lynx/2.9.0 libwww-FM/2.14", "Lynx"),
        ("Mosaic/1.0", "Mosaic"),
        ("", "Unknown browser"),
    ],
)
def test_a_session_is_named_by_browser_and_system(agent: str, words: str) -> None:
    assert in_words(agent) == words


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Paris", "Europe/Paris"),
        ("paris", "Europe/Paris"),
        (" new  york", "America/New_York"),
        ("utc", "UTC"),
        ("Mars", None),
    ],
)
def test_a_time_zone_is_found_by_its_city(typed: str, zone: str | None) -> None:
    assert time_zones.find(typed) == zone


def test_every_zone_is_found_by_its_whole_name() -> None:
    assert {time_zones.find(name.lower()) for name in time_zones.names()} == time_zones.names()
