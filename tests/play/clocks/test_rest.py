"""Rest: no deadline is in days off or nights, on any date in any time zone."""

import os
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.values import time_zones
from games.play.clocks.rest import Rest, first_outside_rest, parse
from games.play.time_controls import time_left

TICK = timedelta(microseconds=1)
# 100,000 in a long run; each draws a zone and a date.
MANY = settings(max_examples=int(os.environ.get("REST_EXAMPLES", "150")), deadline=None)

YEARS = (datetime(2020, 1, 1), datetime(2040, 1, 1))  # noqa: DTZ001 -- the strategy adds the zone.
instants = st.datetimes(*YEARS, timezones=st.just(UTC))
places = st.sampled_from(sorted(time_zones.names()))
nights = st.tuples(st.integers(0, 23), st.integers(1, 10)).map(
    lambda night: (night[0], (night[0] + night[1]) % 24)
)
rests = st.builds(Rest, st.frozensets(st.integers(0, 6), max_size=2), st.none() | nights, places)


def in_paris(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Paris"))


@MANY
@given(instants, rests)
def test_a_deadline_within_a_rest_moves_to_exactly_its_end(at: datetime, rest: Rest) -> None:
    moved = first_outside_rest(at, rest)
    assert moved >= at
    assert rest.end(moved) == moved
    assert moved == at or rest.end(moved - TICK) > moved - TICK
    assert moved - at <= timedelta(days=3)


@MANY
@given(instants, st.timedeltas(TICK, timedelta(days=30)), rests)
def test_a_rest_moves_the_deadline_and_not_the_budget(
    since: datetime, bank: timedelta, rest: Rest
) -> None:
    deadline = first_outside_rest(since + bank, rest)
    assert deadline >= since + bank
    half = since + bank / 2
    assert time_left(bank, since, half) + (half - since) == bank
    assert time_left(bank, since, deadline) == timedelta(0)


@given(instants, rests)
def test_a_written_rest_is_read_back_unchanged(_at: datetime, rest: Rest) -> None:
    again = parse(str(rest))
    assert (again.days, again.night) == (rest.days, rest.night)
    assert not str(rest) or again == rest


@pytest.mark.parametrize(
    ("deadline", "moved"),
    [
        ("2026-03-28T23:00", "2026-03-29T08:00"),  # the night of 23 hours
        ("2026-10-24T23:00", "2026-10-25T08:00"),  # the night of 25 hours
        ("2026-10-25T02:30", "2026-10-25T08:00"),
        ("2028-02-28T22:00", "2028-02-29T08:00"),  # a leap day
        ("2026-05-05T08:00", "2026-05-05T08:00"),
        ("2026-05-05T21:59", "2026-05-05T21:59"),
    ],
)
def test_a_deadline_in_the_night_moves_to_the_morning(deadline: str, moved: str) -> None:
    rest = Rest(night=(22, 8), zone="Europe/Paris")
    assert first_outside_rest(in_paris(deadline), rest) == in_paris(moved)


def test_days_off_and_the_night_after_them_are_one_rest() -> None:
    rest = Rest(frozenset({5, 6}), (22, 8), "Europe/Paris")
    assert first_outside_rest(in_paris("2026-05-08T23:00"), rest) == in_paris("2026-05-11T08:00")


def test_a_deadline_skips_vacations_too() -> None:
    away = [(in_paris("2026-05-04T00:00"), in_paris("2026-05-09T00:00"))]
    rest = Rest(frozenset({5, 6}), (22, 8), "Europe/Paris")
    assert first_outside_rest(in_paris("2026-05-05T12:00"), rest, away) == in_paris(
        "2026-05-11T08:00"
    )


@pytest.mark.parametrize(
    "text", ["5", "567 - UTC", "- 8-8 UTC", "- 20-8 UTC", "7 - UTC", "- 1-99 UTC"]
)
def test_an_invalid_rest_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(text)
