"""The schedule of e-mails: pure functions, no database."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.notifications.policy.kinds import NotificationKind
from games.notifications.policy.preferences import Frequency, Preferences
from games.notifications.policy.schedule import CALM, email_due, next_digest, quiet_end

PARIS = ZoneInfo("Europe/Paris")
NOON = datetime(2026, 1, 20, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
NIGHT = Preferences(frequency=Frequency.NOW, quiet_from=22, quiet_until=7)


def paris(*when: int, fold: int = 0) -> datetime:
    return datetime(*when, tzinfo=PARIS, fold=fold).astimezone(UTC)  # type: ignore[arg-type, misc]


def due_at(
    preferences: Preferences,
    kind: NotificationKind,
    posted: datetime,
    now: datetime | None = None,
    **more: Any,
) -> datetime | None:
    return email_due(preferences, PARIS, kind, posted, now or posted, **more)


def test_immediate_emails_are_due_at_once() -> None:
    assert due_at(Preferences(frequency=Frequency.NOW), NotificationKind.TURN, NOON) == NOON


def test_calm_emails_wait_a_quarter_of_an_hour_together() -> None:
    calm = Preferences()
    assert (
        due_at(calm, NotificationKind.TURN, NOON)
        == due_at(calm, NotificationKind.SETUP, NOON)
        == NOON + CALM
    )
    assert (
        due_at(calm, NotificationKind.OVER, NOON)
        == due_at(calm, NotificationKind.REMINDER, NOON)
        == NOON
    )


def test_calm_is_the_default() -> None:
    assert Preferences().frequency == Frequency.CALM


def test_quiet_hours_delay_an_email_to_their_end() -> None:
    evening, morning = paris(2026, 1, 20, 23, 30), paris(2026, 1, 21, 7)
    assert due_at(NIGHT, NotificationKind.TURN, evening) == morning
    assert due_at(NIGHT, NotificationKind.TURN, paris(2026, 1, 21, 6, 59)) == morning
    assert due_at(NIGHT, NotificationKind.TURN, morning) == morning
    assert due_at(NIGHT, NotificationKind.TURN, paris(2026, 1, 20, 21, 59)) == paris(
        2026, 1, 20, 21, 59
    )


def test_quiet_hours_may_be_within_a_day() -> None:
    siesta = Preferences(frequency=Frequency.NOW, quiet_from=13, quiet_until=15)
    assert due_at(siesta, NotificationKind.TURN, paris(2026, 1, 20, 13, 30)) == paris(
        2026, 1, 20, 15
    )
    assert due_at(siesta, NotificationKind.TURN, paris(2026, 1, 20, 12)) == paris(2026, 1, 20, 12)


def test_a_reminder_waits_for_the_morning_unless_the_deadline_is_earlier() -> None:
    night, morning = paris(2026, 1, 20, 23), paris(2026, 1, 21, 7)
    for deadline, leaves in ((morning + MINUTE, morning), (morning, night), (night, night)):
        assert due_at(NIGHT, NotificationKind.REMINDER, night, deadline=deadline) == leaves


@pytest.mark.parametrize(
    ("start", "end", "hours"),
    [
        # The night of 29 March has no hour from two to three; that of 25 October has it twice.
        ((2026, 3, 28, 22), (2026, 3, 29, 7), 8),
        ((2026, 10, 24, 22), (2026, 10, 25, 7), 10),
        ((2026, 1, 20, 22), (2026, 1, 21, 7), 9),
    ],
)
def test_quiet_hours_follow_changes_to_daylight_saving_time(
    start: Any, end: Any, hours: int
) -> None:
    begin = paris(*start)
    finish = quiet_end(NIGHT, PARIS, begin)
    assert finish == paris(*end)
    assert finish - begin == timedelta(hours=hours)


def test_quiet_hours_that_end_in_a_skipped_hour_end_with_it() -> None:
    short = Preferences(frequency=Frequency.NOW, quiet_from=1, quiet_until=2)
    assert quiet_end(short, PARIS, paris(2026, 3, 29, 1, 30)) == paris(2026, 3, 29, 3)


def test_nothing_is_scheduled_for_the_past_in_a_repeated_hour() -> None:
    odd = Preferences(frequency=Frequency.NOW, quiet_from=2, quiet_until=3)
    second = paris(2026, 10, 25, 2, 30, fold=1)
    assert quiet_end(odd, PARIS, second) == paris(2026, 10, 25, 3)
    until_two = Preferences(frequency=Frequency.NOW, quiet_from=23, quiet_until=2)
    assert quiet_end(until_two, PARIS, second) == second


def test_a_digest_is_sent_at_the_players_hours() -> None:
    daily, twice = Preferences(frequency=Frequency.DAILY), Preferences(frequency=Frequency.TWICE)
    noon = paris(2026, 1, 20, 12)
    assert next_digest(daily, PARIS, noon) == paris(2026, 1, 21, 8)
    assert next_digest(twice, PARIS, noon) == paris(2026, 1, 20, 18)
    assert next_digest(twice, PARIS, paris(2026, 1, 20, 18)) == paris(2026, 1, 21, 8)


@pytest.mark.parametrize("night", [(2026, 3, 29), (2026, 10, 25)])
def test_a_skipped_or_repeated_hour_has_one_digest(night: tuple[int, int, int]) -> None:
    early = Preferences(frequency=Frequency.DAILY, first_hour=2)
    evening = paris(*night) - timedelta(hours=2)
    first = next_digest(early, PARIS, evening)
    assert first.astimezone(PARIS).date() == date(*night)
    second = next_digest(early, PARIS, first)
    assert second.astimezone(PARIS).date() == date(*night) + timedelta(days=1)


ZONES = st.sampled_from(
    ["Europe/Paris", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu"]
)
INSTANTS = st.integers(1_577_836_800, 2_208_988_800).map(lambda s: datetime.fromtimestamp(s, UTC))
HOURS = st.integers(0, 23)


@given(ZONES, INSTANTS, HOURS, HOURS)
def test_quiet_hours_last_at_most_a_day_and_an_hour(
    zone: str, instant: datetime, start: Any, end: Any
) -> None:
    preferences = Preferences(quiet_from=start, quiet_until=end)
    finish = quiet_end(preferences, ZoneInfo(zone), instant)
    assert instant <= finish <= instant + timedelta(hours=25)


@given(ZONES, INSTANTS, HOURS, HOURS)
def test_a_digest_is_due_by_the_second_day(
    zone: str, instant: datetime, first: int, second: int
) -> None:
    preferences = Preferences(frequency=Frequency.TWICE, first_hour=first, second_hour=second)
    slot = next_digest(preferences, ZoneInfo(zone), instant)
    assert instant < slot <= instant + timedelta(hours=49)
