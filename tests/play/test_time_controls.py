"""Time controls as pure functions: exact to the microsecond, independent of the calendar."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.lobby.forms.time_control import BANKS, DAYS_PER_MOVE
from games.play import time_controls
from games.play.time_controls import (
    DEADLINE_GRACE,
    TimeControl,
    next_check,
    parse,
    reminder_due,
    reminder_times,
    time_left,
)

HOUR, DAY, TICK = timedelta(hours=1), timedelta(days=1), timedelta(microseconds=1)
START = datetime(2026, 3, 28, 20, 30, tzinfo=UTC)  # the night on which Paris puts its clocks on

YEARS = (datetime(2020, 1, 1), datetime(2040, 1, 1))  # noqa: DTZ001 -- the strategy adds the zone.
instants = st.datetimes(*YEARS, timezones=st.just(UTC))
spans = st.timedeltas(TICK, timedelta(days=60))


def test_a_fixed_time_per_move_is_a_bank_that_keeps_nothing() -> None:
    control = parse("3d")
    assert control == TimeControl(3 * DAY, 3 * DAY, 3 * DAY)
    assert not control.accumulates
    assert control.refill(2 * DAY) == control.refill(timedelta(0)) == 3 * DAY


def test_a_bank_grows_with_each_action_up_to_its_cap() -> None:
    control = parse("24h+4h^72h")
    assert control.accumulates
    assert control.refill(20 * HOUR) == 24 * HOUR
    assert control.refill(70 * HOUR) == 72 * HOUR


def test_without_a_cap_a_bank_grows_without_limit() -> None:
    assert parse("30d+3d").refill(100 * DAY) == 103 * DAY


def test_no_clock_gives_no_respite_and_saves_nothing() -> None:
    assert parse("none") == TimeControl(None)
    assert (parse("none").respite, parse("none").accumulates) == (timedelta(0), False)


@pytest.mark.parametrize("text", [*BANKS, *(f"{days}d" for days in DAYS_PER_MOVE), "36h"])
def test_every_offered_pace_is_parsed(text: str) -> None:
    assert parse(text).bank


@pytest.mark.parametrize(
    "text", ["", "3", "d", "0d", "3w", "-3d", "3d+", "3d^4d", "24h+4h^12h", "1d+0h", "12345d", "³d"]
)
def test_an_invalid_time_control_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(text)


@pytest.mark.parametrize(
    ("text", "respite"),
    [("3d", 18 * HOUR), ("7d", DAY), ("24h+4h^72h", 6 * HOUR), ("36h", 9 * HOUR)],
)
def test_a_respite_is_a_quarter_of_the_time_and_at_most_a_day(
    text: str, respite: timedelta
) -> None:
    assert parse(text).respite == respite


@given(st.lists(st.timedeltas(TICK, timedelta(days=2)), max_size=40), instants)
def test_no_microsecond_of_a_match_is_lost(thoughts: list[timedelta], at: datetime) -> None:
    control = TimeControl(100 * DAY, 3 * HOUR)
    bank = control.bank
    assert bank is not None
    for thought in thoughts:
        since, at = at, at + thought
        bank = control.refill(time_left(bank, since, at))
    assert bank == 100 * DAY + len(thoughts) * 3 * HOUR - sum(thoughts, timedelta(0))


@given(instants, spans)
def test_a_clock_is_late_one_microsecond_after_its_deadline(
    since: datetime, bank: timedelta
) -> None:
    deadline = since + bank
    assert not time_controls.is_late(deadline, deadline)
    assert time_controls.is_late(deadline + TICK, deadline)
    assert (
        time_left(bank, since, deadline) == timedelta(0) == time_left(bank, since, deadline + DAY)
    )


def test_reminders_are_at_a_half_a_fifth_and_a_day_before_the_deadline() -> None:
    assert reminder_times(START, START + 10 * DAY) == [
        (START + 5 * DAY, 1),
        (START + 8 * DAY, 2),
        (START + 9 * DAY, 3),
    ]


def test_a_time_of_one_day_has_no_reminder_a_day_before() -> None:
    assert [step for _at, step in reminder_times(START, START + DAY)] == [1, 2]


def test_the_last_of_several_missed_reminders_is_sent() -> None:
    assert reminder_due(START, START + 10 * DAY, START + 9.5 * DAY) == 3
    assert reminder_due(START, START + 10 * DAY, START + 10 * DAY) is None


@given(instants, spans)
def test_checking_at_each_given_time_finds_every_reminder_and_the_end(
    since: datetime, bank: timedelta
) -> None:
    deadline, at, seen = since + bank, since, []
    while (at := next_check(since, deadline, at)) != deadline + DEADLINE_GRACE:
        seen.append(reminder_due(since, deadline, at))
    due = reminder_times(since, deadline)
    assert len(seen) == len({instant for instant, _step in due})
    assert None not in seen
    assert len(set(seen)) == len(seen)
