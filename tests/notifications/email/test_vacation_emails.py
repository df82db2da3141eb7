"""E-mails about the opponent's vacation: to whom, and while it is true."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.notifications import catalogue
from games.notifications.policy import summaries
from games.outbox.models import Dispatch
from games.play.clocks import vacations
from games.play.clocks.rest import Rest
from games.play.commands import courtesies, deadlines, time_off
from games.play.models.match import Match, Player
from games.play.models.time import Vacation
from lib.db_clock import frozen_at
from tests.notifications.email.reading import delivered, heading, text, words_of_html, words_of_text
from tests.play import match_helpers
from tests.play.match_helpers import People

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
LATE = datetime(2027, 5, 6, 23, tzinfo=UTC)  # a Thursday
MORNING = LATE + 9 * HOUR
WAITS = "Their deadlines are postponed until they are back"


@pytest.fixture
def match(who: People) -> Match:
    """Alice is to move by LATE; the terms allow vacations."""
    with frozen_at(LATE - 3 * DAY):
        match = match_helpers.set_up(match_helpers.new_match(who))
        Match.objects.update(vacations=True)
        delivered()
    return match


def sweep(first: datetime, hours: int = 0) -> None:
    """The sweep runs two minutes after each of these hours."""
    for hour in range(hours + 1):
        with frozen_at(first + hour * HOUR + 2 * MINUTE):
            deadlines.sweep()


def vacation_emails(at: datetime) -> list[EmailMultiAlternatives]:
    """The e-mails about vacations that are sent at that instant."""
    with frozen_at(at):
        return [email for email in delivered() if "is on vacation" in heading(email)]


def test_the_waiting_player_reads_that_nothing_has_to_be_done(match: Match, bob: User) -> None:
    sweep(LATE)
    (email,) = vacation_emails(LATE + 3 * MINUTE)
    assert email.to == [bob.email]
    assert heading(email) == f"Alice is on vacation; match {match.pk} waits"
    assert WAITS in text(email) and "You don't need to do anything." in text(email)
    assert "Move by" not in text(email)
    assert words_of_text(email) == words_of_html(email)


def test_the_player_to_move_reads_until_when_both_have_time(
    match: Match, alice: User, bob: User
) -> None:
    with frozen_at(LATE - 2 * DAY):
        time_off.plan(alice, date(2027, 5, 6), date(2027, 5, 9))
        time_off.plan(alice, date(2027, 5, 10), date(2027, 5, 10))
    with frozen_at(LATE - HOUR):
        match_helpers.play(match, "a4-a5")
        deadlines.sweep()
    (email,) = vacation_emails(LATE)
    assert email.to == [bob.email]
    assert heading(email) == f"Alice is on vacation; it is your move in match {match.pk}"
    assert "Alice is on vacation until 11 May 2027, 00:00 (UTC)." in text(email)
    assert "Move by 9 May 2027, 22:00 (UTC);" in text(email)
    assert "You don't need to do" not in text(email) and WAITS not in text(email)
    assert words_of_text(email) == words_of_html(email)


def test_other_channels_say_the_same(match: Match, alice: User, bob: User) -> None:
    with frozen_at(LATE - 2 * DAY):
        time_off.plan(alice, date(2027, 5, 6), date(2027, 5, 9))
    sweep(LATE)
    dispatch = Dispatch.objects.get(event="vacation-began")
    notification = catalogue.find(dispatch.event)
    with frozen_at(LATE):
        waits = summaries.about(notification, notification.require_view(dispatch))
        match_helpers.play(match, "a4-a5")
        asks = summaries.about(notification, notification.require_view(dispatch))
    assert waits.title == f"Alice is on vacation; match {match.pk} waits"
    assert asks.title == f"Alice is on vacation; it is your move in match {match.pk}"
    assert asks.text.startswith("Move by ")


@pytest.mark.parametrize("after", [3 * MINUTE, 40 * MINUTE, 9 * HOUR])
def test_a_player_who_has_moved_is_no_longer_on_vacation(match: Match, after: timedelta) -> None:
    sweep(LATE)
    with frozen_at(LATE + 2.5 * MINUTE):
        match_helpers.play(match, "a4-a5")
    assert vacation_emails(LATE + after) == []
    assert not Dispatch.objects.filter(sent_at=None, superseded_at=None).exists()


def test_a_vacation_that_is_over_is_not_reported(match: Match, bob: User) -> None:
    sweep(LATE)
    with frozen_at(LATE + 10 * MINUTE):
        courtesies.give_day(match.pk, bob)
    assert vacation_emails(MORNING) == []


def test_a_planned_vacation_that_is_over_is_not_reported(
    match: Match, alice: User, bob: User, prefer: Callable[..., None]
) -> None:
    with frozen_at(LATE - 2 * DAY):
        time_off.plan(alice, date(2027, 5, 6), date(2027, 5, 6))
    prefer(bob, notification_preferences={"frequency": "daily"})
    with frozen_at(LATE - HOUR):
        match_helpers.play(match, "a4-a5")
        deadlines.sweep()
    with frozen_at(LATE + 2 * DAY):
        (email,) = [email for email in delivered() if email.to == [bob.email]]
    assert "vacation" not in text(email)


@pytest.mark.parametrize("after", [timedelta(0), MINUTE, 2 * MINUTE, 30 * MINUTE])
def test_a_vacation_taken_by_the_hour_is_reported_at_any_minute(
    match: Match, after: timedelta
) -> None:
    sweep(LATE, hours=8)
    (email,) = vacation_emails(MORNING + after)
    assert WAITS in text(email)


def test_an_absence_lasts_through_the_night(match: Match, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(rest=str(Rest(night=(0, 8))))
    sweep(LATE)
    (email,) = vacation_emails(LATE + 4 * HOUR)
    assert WAITS in text(email)


def test_no_vacation_is_reported_when_the_days_are_used_up(match: Match, alice: User) -> None:
    Match.objects.update(soft=True)
    first = LATE - 60 * DAY
    Vacation.objects.create(user=alice, start=first, end=first + vacations.YEARLY_BUDGET - HOUR)
    sweep(LATE, hours=2)
    assert vacation_emails(LATE + 3 * HOUR) == []
    assert Player.objects.get(to_act=True).deadline == LATE + HOUR
