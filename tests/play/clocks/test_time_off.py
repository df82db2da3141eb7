"""Time off: vacations, days off and nights; which deadlines they move and what they cost."""

import html
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.outbox.models import Dispatch
from games.play.clocks import adjustment_log, heartbeat, vacations
from games.play.clocks.rest import Rest
from games.play.commands import courtesies, deadlines, endings, matches, time_off
from games.play.models.match import Match, Player, Status
from games.play.models.time import Vacation
from games.play.refusals import NotNow, TooLate
from games.play.terms import Terms
from lib.db_clock import frozen_at
from tests import tiers
from tests.play import match_helpers, service
from tests.play.forms import client_of, page
from tests.play.match_helpers import People, as_is

pytestmark = pytest.mark.postgresql_soak

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NOON = datetime(2027, 5, 3, 12, tzinfo=UTC)  # a Monday


def open_with_vacations(who: People, **terms: Any) -> Match:
    """A match that allows vacations; Alice is on turn from NOON, for three days."""
    match = match_helpers.new_match(who, **terms)
    Match.objects.filter(pk=match.pk).update(vacations=True)
    with frozen_at(NOON):
        Player.objects.filter(match=match).update(
            deadline=NOON + DAY, since=NOON - DAY, check_at=NOON + DAY
        )
        return match_helpers.set_up(match)


@pytest.fixture
def match(who: People) -> Match:
    return open_with_vacations(who)


def player_to_act(match: Match) -> Player:
    return match.players.get(to_act=True)


def sweep_at(instant: datetime) -> dict[str, int]:
    with frozen_at(instant):
        return {name: count for name, count in deadlines.sweep().items() if count}


def vacation_intervals(user: User) -> list[tuple[datetime, datetime]]:
    return list(Vacation.objects.filter(user=user).order_by("start").values_list("start", "end"))


def test_a_vacation_begins_at_the_deadline_and_is_used_hour_by_hour(
    match: Match, alice: User
) -> None:
    deadline = NOON + 3 * DAY
    assert sweep_at(deadline + 2 * MINUTE) == {"covered": 1}
    assert vacation_intervals(alice) == [(deadline, deadline + HOUR)]
    assert player_to_act(match).deadline == deadline + HOUR
    assert sweep_at(deadline + HOUR + 2 * MINUTE) == {"covered": 1}
    assert vacation_intervals(alice) == [(deadline, deadline + 2 * HOUR)]
    assert vacations.left(alice.pk, NOON) == vacations.YEARLY_BUDGET - 2 * HOUR


def test_a_vacation_is_logged_once(match: Match) -> None:
    for hour in range(3):
        sweep_at(NOON + 3 * DAY + hour * HOUR + 2 * MINUTE)
    assert [one.kind for one in adjustment_log.newest(as_is(match))] == ["vacation"]


def test_a_move_before_the_sweep_uses_its_vacation_too(match: Match, alice: User) -> None:
    with frozen_at(NOON + 3 * DAY + MINUTE * 1.5):
        match_helpers.play(match, "a4-a5")
    assert vacation_intervals(alice) == [(NOON + 3 * DAY, NOON + 3 * DAY + HOUR)]


def test_a_move_within_the_grace_period_uses_no_vacation(match: Match, alice: User) -> None:
    with frozen_at(NOON + 3 * DAY + MINUTE / 2):
        match_helpers.play(match, "a4-a5")
    assert vacation_intervals(alice) == []


def test_one_hour_covers_all_matches_of_a_player(who: People, match: Match, alice: User) -> None:
    other = open_with_vacations(who)
    Player.objects.filter(match=other, to_act=True).update(
        deadline=NOON + 3 * DAY + HOUR / 2, check_at=NOON + 3 * DAY + HOUR / 2
    )
    sweep_at(NOON + 3 * DAY + 2 * MINUTE)
    sweep_at(NOON + 3 * DAY + HOUR / 2 + 2 * MINUTE)
    assert vacation_intervals(alice) == [(NOON + 3 * DAY, NOON + 3 * DAY + HOUR)]
    assert player_to_act(other).deadline == NOON + 3 * DAY + HOUR


def test_a_day_added_during_the_sweep_uses_no_vacation(
    match: Match, alice: User, bob: User
) -> None:
    late = NOON + 3 * DAY + 2 * MINUTE
    with frozen_at(late):
        (due_player,) = deadlines.due(late)
        courtesies.give_day(match.pk, bob)
        time_off.take_vacation(due_player, late)
    assert vacation_intervals(alice) == []
    assert player_to_act(match).deadline == late + DAY
    assert sweep_at(late) == {}
    assert sweep_at(late + DAY + 2 * MINUTE) == {"covered": 1}


def test_the_match_ends_on_time_when_the_budget_is_used_up(match: Match, alice: User) -> None:
    first = NOON - 60 * DAY
    Vacation.objects.create(user=alice, start=first, end=first + vacations.YEARLY_BUDGET - HOUR)
    assert sweep_at(NOON + 3 * DAY + 2 * MINUTE) == {"covered": 1}
    with frozen_at(NOON + 3 * DAY + HOUR + MINUTE * 1.5), pytest.raises(TooLate):
        match_helpers.play(match, "a4-a5")
    assert sweep_at(NOON + 3 * DAY + HOUR + 2 * MINUTE) == {"ended": 1}
    assert as_is(match).reason == "time"


def test_an_insufficient_budget_is_not_used(match: Match, alice: User) -> None:
    first = NOON - 60 * DAY
    Vacation.objects.create(user=alice, start=first, end=first + vacations.YEARLY_BUDGET - HOUR)
    assert sweep_at(NOON + 3 * DAY + 2 * HOUR) == {"ended": 1}
    assert vacations.left(alice.pk, NOON) == HOUR


def test_a_new_year_brings_a_new_budget(alice: User) -> None:
    first = datetime(2027, 6, 1, tzinfo=UTC)
    Vacation.objects.create(user=alice, start=first, end=first + vacations.YEARLY_BUDGET)
    assert vacations.left(alice.pk, first) == timedelta(0)
    assert vacations.left(alice.pk, datetime(2028, 1, 1, tzinfo=UTC)) == vacations.YEARLY_BUDGET


def test_no_vacation_is_used_if_the_terms_do_not_allow_it(match: Match, alice: User) -> None:
    Match.objects.update(vacations=False)
    assert sweep_at(NOON + 3 * DAY + 2 * MINUTE) == {"ended": 1}
    assert vacation_intervals(alice) == []


def test_a_set_up_uses_no_vacation(who: People) -> None:
    match = match_helpers.new_match(who)
    Match.objects.update(vacations=True)
    deadline = match.players.all()[0].deadline
    assert deadline is not None
    assert sweep_at(deadline + 2 * MINUTE) == {"ended": 1}
    assert as_is(match).status == Status.CANCELLED


def test_a_soft_time_out_can_be_claimed_after_the_vacation(
    match: Match, alice: User, bob: User
) -> None:
    Match.objects.update(soft=True)
    late = NOON + 3 * DAY + 2 * MINUTE
    with frozen_at(late), pytest.raises(NotNow):
        endings.claim_win(match.pk, bob)
    Vacation.objects.all().delete()
    Vacation.objects.create(user=alice, start=NOON - 60 * DAY, end=NOON - 30 * DAY)
    assert sweep_at(late + HOUR) == {"claimable": 1}
    with frozen_at(late + HOUR):
        endings.claim_win(match.pk, bob)


def test_a_planned_vacation_moves_a_deadline_to_its_end(match: Match, alice: User) -> None:
    with frozen_at(NOON):
        time_off.plan(alice, date(2027, 5, 6), date(2027, 5, 9))
    assert player_to_act(match).deadline == datetime(2027, 5, 10, tzinfo=UTC)
    assert vacations.left(alice.pk, NOON) == vacations.YEARLY_BUDGET - 4 * DAY


def test_a_deadline_set_later_moves_too(match: Match, bob: User) -> None:
    with frozen_at(NOON):
        time_off.plan(bob, date(2027, 5, 6), date(2027, 5, 9))
        match_helpers.play(match, "a4-a5")
    assert player_to_act(match).deadline == datetime(2027, 5, 10, tzinfo=UTC)


def test_a_cancelled_vacation_leaves_everything_unchanged(match: Match, alice: User) -> None:
    with frozen_at(NOON):
        vacation = time_off.plan(alice, date(2027, 5, 6), date(2027, 5, 9))
        time_off.withdraw(alice, vacation.pk)
    assert player_to_act(match).deadline == NOON + 3 * DAY
    assert vacations.left(alice.pk, NOON) == vacations.YEARLY_BUDGET


@pytest.mark.parametrize("wait", [timedelta(0), HOUR, DAY + 11 * HOUR])
def test_planning_and_cancelling_a_vacation_gains_nothing(
    match: Match, alice: User, wait: timedelta
) -> None:
    # Less than the respite is left when the vacation is cancelled, just before it begins.
    deadline = NOON + 2.5 * DAY + HOUR
    Player.objects.filter(to_act=True).update(since=deadline - 3 * DAY, deadline=deadline)
    with frozen_at(NOON):
        vacation = time_off.plan(alice, date(2027, 5, 6), date(2027, 5, 9))
        assert player_to_act(match).deadline == datetime(2027, 5, 10, tzinfo=UTC)
    with frozen_at(NOON + DAY + wait):
        time_off.withdraw(alice, vacation.pk)
    assert player_to_act(match).deadline == deadline


def test_changing_days_off_between_planning_and_cancelling_gains_nothing(
    match: Match, alice: User
) -> None:
    deadline = NOON + 3 * DAY  # a Thursday
    with frozen_at(NOON):
        vacation = time_off.plan(alice, date(2027, 5, 6), date(2027, 5, 9))
        time_off.set_rest(alice, Rest(frozenset({3, 4})))
        time_off.withdraw(alice, vacation.pk)
    assert player_to_act(match).deadline == deadline


def test_a_respite_after_an_outage_survives_a_cancelled_vacation(match: Match, alice: User) -> None:
    down = NOON + 2.9 * DAY
    with frozen_at(down):
        heartbeat.beat()
    service.beat_at(down + DAY)
    before = player_to_act(match)
    assert before.deadline == down + DAY + 18 * HOUR
    Player.objects.filter(pk=before.pk).update(deadline=down + 3 * DAY)
    with frozen_at(down + DAY):
        vacation = time_off.plan(alice, (down + 3 * DAY).date(), (down + 4 * DAY).date())
        assert player_to_act(match).deadline == vacation.end
        time_off.withdraw(alice, vacation.pk)
    assert player_to_act(match).deadline == down + 3 * DAY


def test_a_turn_that_came_during_the_plan_gets_the_deadline_it_would_have_had(
    match: Match, alice: User, bob: User
) -> None:
    with frozen_at(NOON):
        vacation = time_off.plan(bob, date(2027, 5, 6), date(2027, 5, 9))
        match_helpers.play(match, "a4-a5")
    assert player_to_act(match).deadline == vacation.end
    with frozen_at(NOON + 2 * DAY):
        time_off.withdraw(bob, vacation.pk)
    assert player_to_act(match).deadline == NOON + 3 * DAY


def test_a_day_added_meanwhile_is_kept(match: Match, alice: User, bob: User) -> None:
    with frozen_at(NOON):
        vacation = time_off.plan(alice, date(2027, 5, 6), date(2027, 5, 9))
        courtesies.give_day(match.pk, bob)
        time_off.withdraw(alice, vacation.pk)
    assert player_to_act(match).bank == 4 * DAY
    assert player_to_act(match).deadline == NOON + 4 * DAY


@pytest.mark.parametrize(("before", "after"), [((), (0,)), ((0,), ())])
def test_days_off_changed_meanwhile_do_not_extend_a_vacation(
    match: Match, alice: User, before: tuple[int, ...], after: tuple[int, ...]
) -> None:
    User.objects.filter(pk=alice.pk).update(rest=str(Rest(frozenset(before))))
    with frozen_at(NOON):
        # It ends at the beginning of a Monday.
        vacation = time_off.plan(alice, date(2027, 5, 5), date(2027, 5, 30))
        assert player_to_act(match).deadline >= vacation.end
        time_off.set_rest(alice, Rest(frozenset(after)))
        time_off.withdraw(alice, vacation.pk)
    assert player_to_act(match).deadline == NOON + 3 * DAY


def test_opponents_are_notified_when_a_vacation_begins(
    who: People, match: Match, alice: User, bob: User
) -> None:
    theirs = open_with_vacations(who)
    with frozen_at(NOON + HOUR):
        match_helpers.play(theirs, "a4-a5")
        time_off.plan(alice, date(2027, 5, 5), date(2027, 5, 9))
    notified = Dispatch.objects.filter(event="vacation-began")
    assert "announced" not in sweep_at(NOON + DAY)
    assert not notified.exists()
    assert sweep_at(NOON + 2 * DAY)["announced"] == 1
    assert "announced" not in sweep_at(NOON + 2 * DAY + HOUR)
    assert sorted(notified.values_list("user", "ref__match")) == sorted(
        (bob.pk, each.pk) for each in (match, theirs)
    )
    for each in (match, theirs):
        assert [one.kind for one in adjustment_log.newest(as_is(each))] == ["vacation"]


def test_a_vacation_that_cannot_be_announced_does_not_block_a_clock(
    match: Match, alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with frozen_at(NOON):
        time_off.plan(alice, date(2027, 5, 12), date(2027, 5, 13))
    monkeypatch.setattr(time_off, "_begin", lambda *_: 1 / 0)
    assert sweep_at(NOON + 10 * DAY) == {"covered": 1}
    assert "could not be announced" in caplog.text


def test_a_vacation_that_ends_before_its_announcement_is_not_announced(
    match: Match, alice: User
) -> None:
    with frozen_at(NOON):
        vacation = time_off.plan(alice, date(2027, 5, 5), date(2027, 5, 5))
    assert sweep_at(vacation.end)["announced"] == 1
    assert not Dispatch.objects.filter(event="vacation-began").exists()


def test_a_vacation_that_has_begun_cannot_be_cancelled(
    match: Match, alice: User, bob: User
) -> None:
    with frozen_at(NOON):
        vacation = time_off.plan(alice, date(2027, 5, 6), date(2027, 5, 9))
        with pytest.raises(NotNow):
            time_off.withdraw(bob, vacation.pk)
    with frozen_at(NOON + 4 * DAY), pytest.raises(NotNow):
        time_off.withdraw(alice, vacation.pk)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (date(2027, 5, 4), date(2027, 5, 9)),  # tomorrow
        (date(2028, 6, 1), date(2028, 6, 2)),  # in more than a year
        (date(2027, 5, 9), date(2027, 5, 6)),  # backwards
        (date(2027, 6, 1), date(2027, 7, 1)),  # 31 days
        (date(2027, 8, 5), date(2027, 8, 6)),  # adjacent to another
    ],
)
def test_vacations_have_limits(alice: User, first: date, last: date) -> None:
    with frozen_at(NOON):
        time_off.plan(alice, date(2027, 8, 1), date(2027, 8, 5))
        with pytest.raises(NotNow):
            time_off.plan(alice, first, last)
    assert Vacation.objects.count() == 1


def test_the_hours_of_a_day_of_clock_change_are_counted_exactly(alice: User) -> None:
    alice.zone = "Europe/Paris"
    alice.save()
    with frozen_at(NOON):
        time_off.plan(alice, date(2027, 10, 31), date(2027, 10, 31))
    assert vacations.left(alice.pk, NOON) == vacations.YEARLY_BUDGET - 25 * HOUR


def test_thirty_days_in_which_clocks_are_set_back_exceed_the_budget(alice: User) -> None:
    User.objects.update(zone="Europe/Paris")
    with frozen_at(NOON), pytest.raises(NotNow, match="this takes more"):
        time_off.plan(alice, date(2027, 10, 10), date(2027, 11, 8))


def test_thirty_days_in_which_clocks_are_set_forward_leave_an_hour_of_the_budget(
    alice: User,
) -> None:
    User.objects.update(zone="Europe/Paris")
    new_year = datetime(2028, 1, 1, tzinfo=UTC)
    Vacation.objects.create(user=alice, start=new_year, end=new_year + HOUR)
    with frozen_at(new_year + DAY):
        time_off.plan(alice, date(2028, 3, 20), date(2028, 4, 18))
    assert vacations.left(alice.pk, new_year) == timedelta(0)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Paris", "America/New_York"])
@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2027-06-01", "9999-12-31"),
        ("9999-12-31", "9999-12-31"),
        ("0001-01-01", "2027-06-01"),
        ("0001-01-01", "0001-01-01"),
    ],
)
def test_dates_at_the_limits_of_the_calendar_are_refused(
    alice: User, zone: str, first: str, last: str
) -> None:
    User.objects.update(zone=zone)
    days = {"do": "plan", "first": first, "last": last}
    with frozen_at(NOON):
        answer = client_of(alice).post("/time-off/", days)
    assert answer.status_code == 422
    assert "at least one full day" in answer.content.decode()


def test_days_off_count_for_later_deadlines(match: Match, alice: User, bob: User) -> None:
    deadline = player_to_act(match).deadline
    with frozen_at(NOON):
        for player in (alice, bob):
            time_off.set_rest(player, Rest(frozenset({3, 4}), None, "UTC"))
        assert player_to_act(match).deadline == deadline  # on a Thursday
        match_helpers.play(match, "a4-a5")
    assert player_to_act(match).deadline == datetime(2027, 5, 8, tzinfo=UTC)


def test_days_off_can_change_once_a_week(alice: User) -> None:
    with frozen_at(NOON):
        time_off.set_rest(alice, Rest(frozenset({6})))
        time_off.set_rest(alice, Rest(frozenset({6})))
    with frozen_at(NOON + 7 * DAY - HOUR), pytest.raises(NotNow):
        time_off.set_rest(alice, Rest())
    with frozen_at(NOON + 7 * DAY):
        time_off.set_rest(alice, Rest())
    alice.refresh_from_db()
    assert alice.rest == ""


def test_a_vacation_does_not_end_at_night(match: Match, alice: User) -> None:
    alice.rest = "- 13-20 UTC"
    alice.save()
    sweep_at(NOON + 3 * DAY + 2 * MINUTE)
    assert player_to_act(match).deadline == NOON + 3 * DAY + 8 * HOUR


@pytest.mark.parametrize("hours", tiers.parameters([1, 4], fast=[4]))
def test_a_vacation_that_continues_after_each_night_is_announced_once(
    match: Match, alice: User, hours: int
) -> None:
    User.objects.filter(pk=alice.pk).update(rest=str(Rest(night=(22, 8))))
    for hour in range(0, 3 * 24, hours):
        sweep_at(NOON + 3 * DAY + hour * HOUR + 2 * MINUTE)
    assert Vacation.objects.count() > 1
    assert Dispatch.objects.filter(event="vacation-began").count() == 1
    assert [one.kind for one in adjustment_log.newest(as_is(match))] == ["vacation"]


def test_the_page_stores_days_off_and_nights(alice: User) -> None:
    browser = client_of(alice)
    filled = {"do": "rest", "days": ["5", "6"], "night_from": "22", "night_to": "8"}
    assert "<select" not in browser.get("/time-off/").content.decode().partition('name="zone"')[2]
    answer = browser.post("/time-off/", {**filled, "zone": "paris"}, follow=True)
    alice.refresh_from_db()
    assert alice.rest.endswith(" Europe/Paris")
    text = html.unescape(answer.content.decode())
    assert "Days off: Saturday, Sunday. Nights from 22:00 until 08:00." in text
    again = browser.post("/time-off/", {"do": "rest", "zone": "UTC"})
    assert again.status_code == 422
    assert "once a week" in again.content.decode()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"days": ["1", "2", "3"]}, "Choose at most two days off."),
        ({"night_from": "20", "night_to": "8"}, "That is 12 hours; a night has at most ten."),
        (
            {"zone": "Nowhere"},
            "There is no time zone with this name. Choose a city in your time zone.",
        ),
        ({"night_from": "20"}, "Enter both the start and the end of the night, or neither."),
        (
            {"night_from": "8", "night_to": "8"},
            "The night must end at a different hour than it begins.",
        ),
    ],
)
def test_the_page_shows_errors(alice: User, fields: dict[str, object], words: str) -> None:
    answer = client_of(alice).post("/time-off/", {"do": "rest", "zone": "UTC", **fields})
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_the_page_plans_and_cancels_a_vacation(alice: User) -> None:
    browser = client_of(alice)
    with frozen_at(NOON):
        days = {"first": "2027-06-01", "last": "2027-06-05"}
        browser.post("/time-off/", {"do": "plan", **days})
        vacation = Vacation.objects.get()
        text = browser.get("/time-off/").content.decode()
        assert "25 of 30 vacation days left this year." in text
        browser.post(f"/time-off/{vacation.pk}/withdraw/")
    assert not Vacation.objects.exists()


def test_other_users_see_who_is_on_vacation(match: Match, alice: User) -> None:
    sweep_at(NOON + 3 * DAY + 2 * MINUTE)
    with frozen_at(NOON + 3 * DAY + 5 * MINUTE):
        assert "on vacation until" in page(Client(), match)
        text = Client().get("/time-off/alice/").content.decode()
    assert "29.9 of 30 vacation days left this year" in text
    assert ">Cancel<" not in text


def test_the_query_count_of_the_page_is_constant(
    alice: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Vacation.objects.bulk_create(
        Vacation(user=alice, start=NOON + n * DAY, end=NOON + n * DAY + HOUR) for n in range(60)
    )
    with django_assert_max_num_queries(3), frozen_at(NOON):
        Client().get("/time-off/alice/")


def test_a_vacation_allowed_in_the_terms_counts_in_the_match(alice: User, bob: User) -> None:
    terms = Terms("lattaque-en", pace="24h+4h^72h", soft=True, vacations=True)
    offered = lobby.offer(alice, terms, kind=InvitationKind.SEAT)
    match = lobby.accept(offered.pk, bob)
    assert (match.soft, match.vacations, match.pace) == (True, True, "24h+4h^72h")


def test_a_closed_account_leaves_no_dates(alice: User) -> None:
    Vacation.objects.create(user=alice, start=NOON, end=NOON + HOUR)
    matches.erase_player(alice)
    assert not Vacation.objects.exists()
