"""Retry-After headers, valid and invalid."""

from datetime import UTC, datetime, timedelta

import pytest

from games.notifications.channels.failures import retry_after

NOON = datetime(2026, 1, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("0.317", 1),
        ("65.5", 66),
        ("3600", 3600),
        ("86401", 86400),
        ("9" * 40, 86400),
        ("Tue, 20 Jan 2026 12:30:00 GMT", 1800),
        ("Tue, 20 Jan 2026 13:30:00 +0100", 1800),
        ("Tuesday, 20-Jan-26 12:30:00 GMT", 1800),
        ("Tue Jan 20 12:30:00 2026", 1800),
        ("Tue, 20 Jan 2026 11:00:00 GMT", 0),
        ("Tue, 20 Jan 2032 11:00:00 GMT", 86400),
    ],
)
def test_retry_after_is_kept_up_to_a_day(header: str, seconds: int) -> None:
    assert retry_after(header, NOON) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "header",
    ["", " ", "soon", "-5", "1e3", "٣٤", "1.5.2", "5 minutes", "1" * 65, "99 Foo 2026 99:99:99"],
)
def test_an_invalid_retry_after_is_ignored(header: str) -> None:
    assert retry_after(header, NOON) is None
