"""Outages: the time is credited to every clock that ran, once."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.outbox.models import Dispatch
from games.play.clocks import adjustment_log, heartbeat, outages, settlement
from games.play.commands import courtesies, deadlines, moderation, moves
from games.play.models.match import Match, Player
from games.play.models.time import Outage
from games.play.record import match_view
from games.play.refusals import MatchMovedOn
from games.play.templatetags.match_page import clock_log
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import frozen_at
from tests.play import match_helpers, service
from tests.play.match_helpers import People, as_is
from tests.play.service import beat_at

pytestmark = pytest.mark.postgresql_soak

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def banked(who: People) -> Match:
    """A match with a time bank, before the first move."""
    return match_helpers.set_up(match_helpers.new_match(who, pace="24h+4h^72h"))


def player_to_act(match: Match) -> Player:
    return match.players.get(to_act=True)


def turn_start(match: Match) -> datetime:
    since = player_to_act(match).since
    assert since is not None
    return since


def test_a_beat_every_minute_is_no_outage(match: Match) -> None:
    start = turn_start(match)
    beat_at(*(start + n * MINUTE for n in range(10)), start + 11 * MINUTE)
    assert not Outage.objects.exists()


def test_two_hours_without_a_beat_are_credited(match: Match) -> None:
    start = turn_start(match)
    before = player_to_act(match)
    beat_at(start, start + MINUTE, start + MINUTE + 2 * HOUR)
    after = player_to_act(match)
    assert (before.deadline, before.bank) == (start + 3 * DAY, 3 * DAY)
    assert (after.deadline, after.bank) == (start + 3 * DAY + 2 * HOUR, 3 * DAY + 2 * HOUR)


def test_an_outage_is_credited_once(match: Match) -> None:
    start = turn_start(match)
    beat_at(start, start + 2 * HOUR)
    deadline = player_to_act(match).deadline
    Outage.objects.update(credited_at=None)
    with frozen_at(start + 2 * HOUR):
        assert outages.credit_match(match.pk) == 0
    assert player_to_act(match).deadline == deadline
    player, outage = player_to_act(match), Outage.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        adjustment_log.note_outage([(player, HOUR)], outage)


def test_a_turn_that_began_in_an_outage_is_credited_its_part(match: Match) -> None:
    start = turn_start(match)
    beat_at(start)
    with frozen_at(start + HOUR):
        match_helpers.play(match, "a4-a5")
    beat_at(start + 3 * HOUR)
    assert player_to_act(match).bank == 3 * DAY + 2 * HOUR


def test_an_outage_ends_no_match_on_time(match: Match) -> None:
    start = turn_start(match)
    back = start + 4 * DAY
    beat_at(start + 3 * DAY - MINUTE)
    # The sweep runs before any heartbeat.
    with frozen_at(back):
        assert not deadlines.sweep()["ended"]
    beat_at(back)
    assert player_to_act(match).deadline == back + 18 * HOUR
    with frozen_at(back + 18 * HOUR):
        service.beat()
        assert not deadlines.sweep()["ended"]
        match_helpers.play(match, "a4-a5")
    assert as_is(match).is_live


def test_a_move_before_the_first_beat_after_an_outage_is_in_time(match: Match) -> None:
    start = turn_start(match)
    beat_at(start + 3 * DAY - MINUTE)
    with frozen_at(start + 3 * DAY + HOUR):
        match_helpers.play(match, "a4-a5")
    assert player_to_act(match).seat == Seat.NORTH


def test_a_bank_does_not_pay_for_an_undetected_outage(banked: Match) -> None:
    start = turn_start(banked)
    beat_at(start)
    with frozen_at(start + 5 * HOUR):
        match_helpers.play(banked, "a4-a5")
    assert banked.players.get(seat=Seat.SOUTH).bank == 28 * HOUR


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize(("arrived", "kept"), [(0.5, 27.5), (2, 27), (6, 27)])
def test_a_move_from_before_an_outage_ends_its_turn_when_it_arrived(
    who: People, banked: Match, settled: bool, arrived: float, kept: float
) -> None:
    start = turn_start(banked)
    beat_at(start + HOUR)
    back = start + 6 * HOUR
    if settled:
        beat_at(back)
    with frozen_at(back):
        waited = back - start - arrived * HOUR
        moves.submit_move(banked.pk, who.alice, "a4-a5", as_is(banked).ply, waited=waited)
    south, north = banked.players.order_by("seat")
    lost = min(6 - arrived, 5) * HOUR  # of the next turn, which began when the move arrived
    assert south.bank == kept * HOUR
    assert (north.since, north.bank) == (start + arrived * HOUR, 24 * HOUR + lost)
    shown = {(one.seat, one.span) for one in adjustment_log.newest(as_is(banked))}
    assert shown == {
        (seat, span) for seat, span in ((Seat.SOUTH, 5 * HOUR - lost), (Seat.NORTH, lost)) if span
    }
    with frozen_at(back + MINUTE):
        match_helpers.play(banked, "a7-a6")
    used = (6 - arrived) * HOUR + MINUTE
    assert banked.players.get(seat=Seat.NORTH).bank == 24 * HOUR + lost - used + 4 * HOUR


def test_a_reverted_credit_is_not_reported_to_the_player(who: People, banked: Match) -> None:
    beat_at(turn_start(banked) + HOUR)
    with frozen_at(turn_start(banked) + 6 * HOUR):
        ply = as_is(banked).ply
        moves.submit_move(banked.pk, who.alice, "a4-a5", ply, waited=5.5 * HOUR)
        settlement.settle()
    notified = Dispatch.objects.filter(event="clock-credited")
    assert [dispatch.user for dispatch in notified] == [who.bob]
    assert set(adjustment_log.credited_players(Outage.objects.get().pk)) == {
        banked.players.get(seat=Seat.NORTH)
    }


def test_a_refused_move_reverts_no_credit(who: People, banked: Match) -> None:
    start = turn_start(banked)
    beat_at(start + HOUR, start + 6 * HOUR)
    with frozen_at(start + 6 * HOUR), pytest.raises(Refusal):
        ply = as_is(banked).ply
        moves.submit_move(banked.pk, who.alice, "a1-j10", ply, waited=5.5 * HOUR)
    assert player_to_act(banked).bank == 29 * HOUR


def test_a_move_that_loses_a_race_reverts_no_credit(
    who: People, banked: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = turn_start(banked)
    beat_at(start + HOUR, start + 6 * HOUR)
    monkeypatch.setattr("games.play.commands.moves.match_store.append_ply", lambda *_, **__: None)
    with frozen_at(start + 6 * HOUR), pytest.raises(MatchMovedOn):
        ply = as_is(banked).ply
        moves.submit_move(banked.pk, who.alice, "a4-a5", ply, waited=5.5 * HOUR)
    assert player_to_act(banked).bank == 29 * HOUR
    assert [one.span for one in adjustment_log.newest(as_is(banked))] == [5 * HOUR]


def test_a_move_credits_only_its_own_match(who: People, match: Match) -> None:
    other = match_helpers.running_match(who)
    start = max(turn_start(match), turn_start(other))
    beat_at(start)
    with frozen_at(start + 5 * HOUR):
        assert outages.credit_match(match.pk) == 1
        assert outages.credit_match(match.pk) == 0
    assert player_to_act(match).bank == 3 * DAY + 5 * HOUR
    assert player_to_act(other).bank == 3 * DAY
    assert Outage.objects.get().credited_at is None
    beat_at(start + 5 * HOUR + MINUTE)
    assert player_to_act(other).bank == 3 * DAY + 5 * HOUR


def test_pending_credits_prevent_losses_on_time(match: Match) -> None:
    start = turn_start(match)
    beat_at(start + 3 * DAY - MINUTE)
    back = start + 3 * DAY + HOUR
    with frozen_at(back):
        heartbeat.beat()
        assert not deadlines.sweep()["ended"]
        settlement.settle()
        assert not deadlines.sweep()["ended"]
    assert as_is(match).is_live


def test_a_deadline_counts_only_if_moves_were_accepted_until_then(match: Match) -> None:
    deadline = turn_start(match) + 3 * DAY
    beat_at(deadline - MINUTE / 2)
    # The web server may be down since then, and two minutes must pass to be sure.
    with frozen_at(deadline + 1.1 * MINUTE):
        assert not deadlines.sweep()["ended"]
    beat_at(deadline + 1.2 * MINUTE)
    with frozen_at(deadline + 1.2 * MINUTE):
        assert deadlines.sweep()["ended"] == 1


def test_a_broken_service_stops_time_outs_and_reminders(match: Match) -> None:
    start = turn_start(match)
    beat_at(start)
    for hours in (36, 80):
        with frozen_at(start + hours * HOUR):
            assert not +deadlines.sweep()


def test_slow_web_servers_credit_the_lost_time_and_no_respite(match: Match) -> None:
    deadline = turn_start(match) + 3 * DAY
    # The servers accept connections all the time, and answer none of them for 160 seconds.
    begin = deadline - 3 * MINUTE
    beat_at(begin)
    for seconds in range(20, 160, 20):
        with frozen_at(begin + timedelta(seconds=seconds)):
            heartbeat.note_contact()
    beat_at(begin + timedelta(seconds=160))
    assert Outage.objects.get().stalled
    assert player_to_act(match).deadline == deadline + timedelta(seconds=160)


def test_a_player_who_stalls_the_service_gains_at_most_the_same_time_again(match: Match) -> None:
    deadline = turn_start(match) + 3 * DAY
    begin, end = deadline - 1.5 * MINUTE, deadline + 4 * MINUTE
    beat_at(begin)
    for seconds in range(20, 330, 20):
        with frozen_at(begin + timedelta(seconds=seconds)):
            heartbeat.note_contact()
    beat_at(end)
    assert player_to_act(match).deadline == end + (end - begin)


def test_an_unreachable_web_server_counts_as_an_outage_and_not_as_slow(match: Match) -> None:
    start = turn_start(match)
    beat_at(start)
    for minutes in (1, 2, 3, 7, 8, 9):
        with frozen_at(start + minutes * MINUTE):
            heartbeat.note_contact()
    beat_at(start + 10 * MINUTE)
    assert not Outage.objects.get().stalled


def test_slowness_of_less_than_two_minutes_is_no_outage(match: Match) -> None:
    start = turn_start(match)
    beat_at(start)
    with frozen_at(start + MINUTE):
        heartbeat.note_contact()
    beat_at(start + 2 * MINUTE)
    assert not Outage.objects.exists()


@pytest.mark.parametrize("agree", [courtesies.accept_pause, courtesies.offer_pause])
def test_a_pause_excludes_an_undetected_outage(
    who: People, banked: Match, agree: Callable[[int, User], None]
) -> None:
    start = turn_start(banked)
    beat_at(start + HOUR)
    courtesies.offer_pause(banked.pk, who.alice)
    with frozen_at(start + 11 * HOUR):
        agree(banked.pk, who.bob)
    assert player_to_act(banked).bank == 23 * HOUR
    beat_at(start + 11.5 * HOUR)
    with frozen_at(start + 12 * HOUR):
        courtesies.resume(banked.pk, who.bob)
        outages.credit_match(banked.pk)
    assert player_to_act(banked).deadline == start + 35 * HOUR


def test_a_credit_is_logged_and_announced(match: Match) -> None:
    start = turn_start(match)
    beat_at(start, start + 2 * HOUR)
    (noted,) = adjustment_log.newest(as_is(match))
    assert (noted.seat, noted.span, noted.kind) == (Seat.SOUTH, 2 * HOUR, "outage")


def test_a_jump_of_the_system_clock_is_no_outage(match: Match) -> None:
    start = turn_start(match)
    beat_at(start, start + MINUTE, start - 5 * MINUTE, start, start + 2 * MINUTE)
    assert not Outage.objects.exists()


def test_a_database_clock_set_forward_by_an_hour_costs_no_player_time(match: Match) -> None:
    start = turn_start(match)
    jump = start + 3 * DAY - HOUR / 2
    beat_at(jump)
    with frozen_at(jump + HOUR):
        assert not deadlines.sweep()["ended"]
        assert not deadlines.sweep()["ended"]
    assert as_is(match).is_live


def test_the_operator_can_read_about_outages(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    beat_at(turn_start(match), turn_start(match) + HOUR)
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "the database's clock has jumped." in record.getMessage()


def test_without_pending_credits_it_costs_two_queries(
    match: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    start = turn_start(match)
    beat_at(start)
    with frozen_at(start + MINUTE), django_assert_num_queries(2):
        outages.credit_match(match.pk)
    with django_assert_num_queries(1):
        settlement.settle()


def test_extra_time_from_an_administrator_is_logged_too(match: Match) -> None:
    moderation.extend(match.pk, Seat.SOUTH, DAY, "A strike.")
    assert [one.kind for one in adjustment_log.newest(as_is(match))] == ["admin"]


def test_a_match_without_any_adjustment_costs_no_query(
    match: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    view = match_view.view_match(match.pk, None)
    with django_assert_num_queries(0):
        assert clock_log(view) == ""


def test_pending_outages_are_found_by_an_index(match: Match) -> None:
    start = turn_start(match)
    Outage.objects.bulk_create(
        Outage(start=start - n * HOUR, end=start, credited_at=start) for n in range(2000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    owed = Outage.objects.filter(credited_at=None).order_by("end")
    assert "outage_owed" in owed.explain()


def test_a_simultaneous_sweep_and_beat_leave_one_reminder(match: Match) -> None:
    start = turn_start(match)
    with frozen_at(start + 1.5 * DAY):
        service.beat()
        deadlines.sweep()
        deadlines.sweep()
    assert Dispatch.objects.filter(event="deadline-near").count() == 1
