"""Clock commands of players: an added day, pauses by agreement, time-outs that wait for a claim."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import QuerySet
from django.test import Client

from accounts.models import User
from games.outbox.models import Dispatch
from games.play import time_controls
from games.play.clocks import adjustment_log
from games.play.clocks.rest import Rest
from games.play.commands import courtesies, deadlines, endings
from games.play.models.match import Match, Player, Status
from games.play.refusals import NotNow, NotSeated
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at
from tests.play import match_helpers
from tests.play.forms import client_of, page
from tests.play.match_helpers import People, as_is

pytestmark = pytest.mark.postgresql_soak

HOUR, DAY, TICK = timedelta(hours=1), timedelta(days=1), timedelta(microseconds=1)


@pytest.fixture
def soft(who: People) -> Match:
    match = match_helpers.set_up(match_helpers.new_match(who))
    Match.objects.filter(pk=match.pk).update(soft=True)
    return as_is(match)


def player_to_act(match: Match) -> Player:
    return match.players.get(to_act=True)


def clock_of(match: Match) -> QuerySet[Player]:
    return Player.objects.filter(match=match, to_act=True)


def turn_start(match: Match) -> datetime:
    since = player_to_act(match).since
    assert since is not None
    return since


def sweep_time(match: Match) -> datetime:
    """The first instant at which a sweep may find that time is up."""
    deadline = player_to_act(match).deadline
    assert deadline is not None
    return deadline + time_controls.DEADLINE_GRACE + TICK


def test_an_added_day_moves_the_opponents_deadline_by_a_day(match: Match, bob: User) -> None:
    before = player_to_act(match)
    courtesies.give_day(match.pk, bob)
    after = player_to_act(match)
    assert before.deadline and before.bank
    assert (after.deadline, after.bank) == (before.deadline + DAY, before.bank + DAY)
    assert [one.kind for one in adjustment_log.newest(as_is(match))] == ["gift"]


def test_players_cannot_add_a_day_to_their_own_clock(
    match: Match, alice: User, charlie: User
) -> None:
    with pytest.raises(NotNow):
        courtesies.give_day(match.pk, alice)
    with pytest.raises(NotSeated):
        courtesies.give_day(match.pk, charlie)


def test_an_added_day_is_a_full_day_where_the_deadline_is_in_a_rest(
    match: Match, alice: User, bob: User
) -> None:
    User.objects.filter(pk=alice.pk).update(rest=str(Rest(frozenset({5, 6}))))
    saturday = datetime(2027, 5, 8, 12, tzinfo=UTC)
    monday = datetime(2027, 5, 10, tzinfo=UTC)
    clock_of(match).update(since=saturday - 3 * DAY, deadline=monday)
    with frozen_at(saturday - 2 * DAY):
        courtesies.give_day(match.pk, bob)
    assert player_to_act(match).deadline == monday + DAY


def test_an_added_day_or_ended_pause_gives_no_deadline_at_night(
    soft: Match, alice: User, bob: User
) -> None:
    night = Rest(night=(22, 8))
    User.objects.filter(pk=alice.pk).update(rest=str(night))
    three = datetime(2027, 5, 5, 3, tzinfo=UTC)
    clock_of(soft).update(since=three - 5 * DAY, deadline=three - 2 * DAY)
    with frozen_at(three):
        courtesies.give_day(soft.pk, bob)
    assert player_to_act(soft).deadline == three.replace(hour=8) + DAY
    clock_of(soft).update(since=three - 3 * DAY, deadline=three.replace(hour=8), bank=3 * DAY)
    with frozen_at(three):
        courtesies.offer_pause(soft.pk, alice)
        courtesies.accept_pause(soft.pk, bob)
    with frozen_at(three + 10 * DAY):
        courtesies.resume(soft.pk, bob)
    deadline = player_to_act(soft).deadline
    assert deadline is not None
    assert deadline == night.end(deadline) > three + 10 * DAY


def test_added_days_have_a_limit(match: Match, bob: User) -> None:
    for _ in range(57):
        courtesies.give_day(match.pk, bob)
    with pytest.raises(NotNow):
        courtesies.give_day(match.pk, bob)


def test_a_soft_deadline_ends_nothing_and_notifies_the_opponent_once(
    soft: Match, bob: User
) -> None:
    with frozen_at(sweep_time(soft)):
        assert deadlines.sweep()["claimable"] == 1
        assert not any(deadlines.sweep().values())
    assert as_is(soft).is_live


def test_a_late_move_counts_until_the_opponent_claims(soft: Match, bob: User) -> None:
    late = sweep_time(soft) + DAY
    with frozen_at(late):
        match_helpers.play(soft, "a4-a5")
        with pytest.raises(NotNow):
            endings.claim_win(soft.pk, bob)


def test_the_waiting_player_can_claim_a_minute_after_the_deadline(
    soft: Match, alice: User, bob: User
) -> None:
    with frozen_at(sweep_time(soft) - TICK), pytest.raises(NotNow):
        endings.claim_win(soft.pk, bob)
    with frozen_at(sweep_time(soft)):
        with pytest.raises(NotNow):
            endings.claim_win(soft.pk, alice)
        endings.claim_win(soft.pk, bob)
    match = as_is(soft)
    assert (match.result, match.reason) == ("N", "time")


def test_a_day_added_after_the_deadline_counts_from_now(soft: Match, bob: User) -> None:
    late = sweep_time(soft) + 5 * DAY
    with frozen_at(late):
        deadlines.sweep()
        courtesies.give_day(soft.pk, bob)
    assert player_to_act(soft).deadline == late + DAY
    assert player_to_act(soft).check_at is not None


def test_a_set_up_ends_without_a_claim(who: People) -> None:
    match = match_helpers.new_match(who)
    Match.objects.filter(pk=match.pk).update(soft=True)
    deadline = match.players.all()[0].deadline
    assert deadline is not None
    with frozen_at(deadline + 2 * time_controls.DEADLINE_GRACE):
        assert deadlines.sweep()["ended"] == 1
    assert as_is(match).status == Status.CANCELLED


def test_a_pause_keeps_the_remaining_time_to_the_microsecond(
    match: Match, alice: User, bob: User
) -> None:
    start = turn_start(match)
    with frozen_at(start + HOUR + TICK):
        courtesies.offer_pause(match.pk, alice)
        courtesies.accept_pause(match.pk, bob)
    assert player_to_act(match).bank == 3 * DAY - HOUR - TICK
    assert player_to_act(match).deadline is None
    with frozen_at(start + 30 * DAY):
        assert not any(deadlines.sweep().values())
        courtesies.resume(match.pk, bob)
    assert player_to_act(match).deadline == start + 33 * DAY - HOUR - TICK
    assert not as_is(match).paused_at
    assert [one.kind for one in adjustment_log.newest(as_is(match))] == ["resumed", "paused"]


def test_a_player_without_remaining_time_gets_a_respite_after_a_pause(
    soft: Match, alice: User, bob: User
) -> None:
    late = sweep_time(soft) + DAY
    with frozen_at(late):
        courtesies.offer_pause(soft.pk, bob)
        courtesies.offer_pause(soft.pk, alice)
        courtesies.resume(soft.pk, bob)
    assert player_to_act(soft).deadline == late + 18 * HOUR


def test_a_move_ends_a_pause(match: Match, alice: User, bob: User) -> None:
    courtesies.offer_pause(match.pk, bob)
    courtesies.accept_pause(match.pk, alice)
    match_helpers.play(match, "a4-a5")
    assert not as_is(match).paused_at
    assert player_to_act(match).deadline is not None


def test_a_pause_offer_is_valid_until_its_player_moves(
    match: Match, alice: User, bob: User
) -> None:
    courtesies.offer_pause(match.pk, bob)
    match_helpers.play(match, "a4-a5")
    assert as_is(match).pause_offer == Seat.NORTH
    match_helpers.play(match, "j7-j6")
    assert as_is(match).pause_offer is None
    with pytest.raises(NotNow):
        courtesies.accept_pause(match.pk, alice)


def test_a_declined_pause_offer_is_removed(match: Match, alice: User, bob: User) -> None:
    courtesies.offer_pause(match.pk, bob)
    with pytest.raises(NotNow):
        courtesies.accept_pause(match.pk, bob)
    courtesies.decline_pause(match.pk, alice)
    assert as_is(match).pause_offer is None


@pytest.mark.parametrize("act", [courtesies.resume, courtesies.accept_pause])
def test_a_running_match_cannot_be_resumed(
    match: Match, alice: User, act: Callable[[int, User], None]
) -> None:
    with pytest.raises(NotNow):
        act(match.pk, alice)


def test_a_match_without_a_clock_cannot_be_paused(who: People, alice: User) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who, pace="none"))
    with pytest.raises(NotNow):
        courtesies.offer_pause(match.pk, alice)


def test_every_command_works_by_buttons_without_scripts(
    soft: Match, alice: User, bob: User
) -> None:
    hers, his = client_of(alice), client_of(bob)
    assert "Give Alice another day" in page(his, soft)
    assert "Give Bob another day" not in page(hers, soft)
    his.post(f"/match/{soft.pk}/give-day/")
    assert "Alice got 1 day from the opponent." in page(Client(), soft)
    hers.post(f"/match/{soft.pk}/offer-pause/")
    assert "Alice offers you a pause" in page(his, soft)
    his.post(f"/match/{soft.pk}/accept-pause/")
    assert "paused, 3 days 23 hours left" in page(hers, soft)
    hers.post(f"/match/{soft.pk}/resume/")
    assert as_is(soft).paused_at is None
    with frozen_at(sweep_time(soft)):
        assert "Claim the win" in page(his, soft)
        assert "Claim the win" not in page(hers, soft)
        his.post(f"/match/{soft.pk}/claim/")
    assert as_is(soft).result == "N"


def test_visitors_see_no_button(match: Match) -> None:
    assert "give-day" not in page(Client(), match)


def test_events_contain_only_ids(match: Match, bob: User) -> None:
    courtesies.give_day(match.pk, bob)
    (dispatches,) = Dispatch.objects.filter(event="time-given")
    assert dispatches.ref["match"] == match.pk and all(
        isinstance(id, int) for id in dispatches.ref.values()
    )
