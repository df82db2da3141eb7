"""Endings: resignation, draw by agreement, abort, time-out."""

from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection, transaction

from accounts.models import User
from games.outbox.models import Dispatch
from games.play import time_controls
from games.play.commands import courtesies, deadlines, endings, matches, moderation, moves
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player, Status
from games.play.models.ply import Ply
from games.play.record import match_store
from games.play.refusals import MatchIsOver, NotNow
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.play.match_helpers import as_is

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def played(match: Match) -> Match:
    match_helpers.play(match, "a4-a5")
    return as_is(match)


def test_the_opponent_of_a_resigning_player_wins(played: Match, alice: User) -> None:
    endings.resign(played.pk, alice)
    match = as_is(played)
    assert (match.status, match.result, match.reason) == (Status.FINISHED, "N", "resigned")


def test_both_are_notified_of_the_end_and_the_opponent_has_not_seen_it(
    played: Match, alice: User, bob: User
) -> None:
    endings.resign(played.pk, alice)
    assert Dispatch.objects.filter(event="match-over", user__in=(alice, bob)).count() == 2
    assert list(Player.objects.filter(unseen=True).values_list("user", flat=True)) == [bob.pk]


def test_before_the_first_move_a_match_can_be_aborted_and_not_resigned(
    match: Match, bob: User
) -> None:
    with pytest.raises(NotNow):
        endings.resign(match.pk, bob)
    endings.abort(match.pk, bob)
    assert as_is(match).status == Status.CANCELLED


def test_after_the_first_move_a_match_cannot_be_aborted(played: Match, bob: User) -> None:
    with pytest.raises(NotNow):
        endings.abort(played.pk, bob)


def test_a_draw_is_agreed(played: Match, alice: User, bob: User) -> None:
    endings.offer_draw(played.pk, alice)
    endings.accept_draw(played.pk, bob)
    match = as_is(played)
    assert (match.result, match.reason, match.draw_offer) == ("draw", "agreed", None)


def test_players_cannot_accept_their_own_offer(played: Match, alice: User) -> None:
    endings.offer_draw(played.pk, alice)
    with pytest.raises(NotNow):
        endings.accept_draw(played.pk, alice)


def test_an_offer_is_valid_until_the_next_turn_of_its_player(
    played: Match, alice: User, bob: User
) -> None:
    match_helpers.play(played, "a7-a6")
    endings.offer_draw(played.pk, alice)
    match_helpers.play(played, "b4-b5")
    assert as_is(played).draw_offer == Seat.SOUTH
    match_helpers.play(played, "a6-a7")
    assert as_is(played).draw_offer is None
    with pytest.raises(NotNow):
        endings.accept_draw(played.pk, bob)


def test_a_declined_offer_is_removed_and_its_player_notified(
    played: Match, alice: User, bob: User
) -> None:
    endings.offer_draw(played.pk, alice)
    endings.decline_draw(played.pk, bob)
    assert as_is(played).draw_offer is None
    assert Dispatch.objects.filter(event="draw-declined", user=alice).exists()


def test_a_draw_can_be_offered_again_after_three_own_moves(
    played: Match, alice: User, bob: User
) -> None:
    endings.offer_draw(played.pk, alice)
    endings.decline_draw(played.pk, bob)
    moves = ["b4-b5", "a7-a6", "b5-b4", "a6-a7"]  # Bob moves first
    for south, north in ((moves[1], moves[0]), (moves[3], moves[2]), (moves[1], moves[0])):
        with pytest.raises(NotNow, match="once you have moved three times"):
            endings.offer_draw(played.pk, alice)
        match_helpers.play(played, south, north)
    endings.offer_draw(played.pk, alice)
    assert as_is(played).draw_offer == Seat.SOUTH


def test_the_opponent_can_offer_a_draw_meanwhile(played: Match, alice: User, bob: User) -> None:
    endings.offer_draw(played.pk, alice)
    endings.decline_draw(played.pk, bob)
    endings.offer_draw(played.pk, bob)
    assert as_is(played).draw_offer == Seat.NORTH


def test_two_offers_are_an_agreement(played: Match, alice: User, bob: User) -> None:
    endings.offer_draw(played.pk, alice)
    endings.offer_draw(played.pk, bob)
    assert as_is(played).result == "draw"


def test_the_sweep_ends_a_match_after_deadline_and_grace_period(played: Match) -> None:
    deadline = played.players.get(to_act=True).deadline
    assert deadline is not None
    with frozen_at(deadline + time_controls.DEADLINE_GRACE):
        assert deadlines.sweep()["ended"] == 0
    with frozen_at(deadline + time_controls.DEADLINE_GRACE + timedelta(seconds=1)):
        assert deadlines.sweep()["ended"] == 1
        assert deadlines.sweep()["ended"] == 0
    match = as_is(played)
    assert (match.result, match.reason) == ("S", "time")


def test_one_reminder_is_published_per_turn(played: Match, bob: User) -> None:
    due = played.players.get(to_act=True).check_at
    assert due is not None
    with frozen_at(due - timedelta(seconds=1)):
        assert deadlines.sweep()["reminded"] == 0
    with frozen_at(due):
        assert deadlines.sweep()["reminded"] == 1
        assert deadlines.sweep()["reminded"] == 0
    assert Dispatch.objects.filter(event="deadline-near", user=bob).count() == 1


def test_one_reminder_to_set_up_is_sent_even_if_the_opponent_sets_up_meanwhile(
    who: match_helpers.People, bob: User
) -> None:
    match = match_helpers.new_match(who)
    setter = match.players.get(user=bob)
    due = setter.check_at
    assert due is not None
    with frozen_at(due):
        assert deadlines.sweep()["reminded"] == 2
        match_helpers.send_setup(match, Seat.SOUTH)
        Player.objects.filter(pk=setter.pk).update(check_at=due)
        deadlines.sweep()
    assert Dispatch.objects.filter(event="deadline-near", user=bob).count() == 1


def test_extra_time_moves_the_deadline(played: Match) -> None:
    before = played.players.get(to_act=True).deadline
    assert before is not None
    given = moderation.extend(played.pk, Seat.NORTH, timedelta(days=2), "A strike.")
    assert given == {Seat.NORTH: before + timedelta(days=2)}
    with pytest.raises(NotNow):
        moderation.extend(played.pk, Seat.SOUTH, timedelta(days=2), "A strike.")


def test_voiding_ends_a_match_without_a_result(played: Match) -> None:
    moderation.void(played.pk, "Both players are the same person.")
    assert as_is(played).status == Status.VOID
    with pytest.raises(MatchIsOver):
        moderation.void(played.pk, "Again.")


def test_each_action_gets_the_full_time_of_the_clock(played: Match) -> None:
    deadline = played.players.get(to_act=True).deadline
    assert deadline is not None
    assert timedelta(days=3) - timedelta(minutes=5) < deadline - now() <= timedelta(days=3)


def test_closing_an_account_ends_its_matches(
    who: match_helpers.People, played: Match, alice: User, bob: User
) -> None:
    waiting = match_helpers.new_match(who)
    matches.erase_player(alice)
    assert (as_is(played).result, as_is(waiting).status) == ("N", Status.CANCELLED)


def test_an_offer_to_the_thinking_player_ends_with_their_move(
    played: Match, alice: User, bob: User
) -> None:
    endings.offer_draw(played.pk, alice)
    match_helpers.play(played, "a7-a6")
    assert as_is(played).draw_offer is None
    with pytest.raises(NotNow):
        endings.accept_draw(played.pk, bob)


def test_an_offer_made_after_a_move_arrived_ends_with_it(played: Match, alice: User) -> None:
    table = match_store.load_match(played.pk)
    endings.offer_draw(played.pk, alice)
    assert match_store.append_ply(table, PlyKind.MOVE, Seat.NORTH, public="a7-a6")
    assert as_is(played).draw_offer is None


def test_a_pause_offer_made_after_a_move_arrived_is_valid_for_the_next_player(
    played: Match, alice: User, bob: User
) -> None:
    for offerer, kept in ((alice, Seat.SOUTH), (bob, None)):
        table = match_store.load_match(played.pk)
        courtesies.offer_pause(played.pk, offerer)
        with transaction.atomic():
            assert match_store.append_ply(table, PlyKind.MOVE, Seat.NORTH, public="a7-a6")
            assert as_is(played).pause_offer == kept
            transaction.set_rollback(True)
        Match.objects.update(pause_offer=None)


def test_a_retried_set_up_has_the_time_of_its_first_attempt(
    who: match_helpers.People, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_helpers.new_match(who)
    deadline = match.players.get(seat=Seat.SOUTH).deadline
    assert deadline is not None
    write = moves.write_move
    late: list[bool] = []

    def set_up_by_opponent(*given: Any) -> int | None:
        monkeypatch.setattr(moves, "write_move", write)
        match_helpers.send_setup(match, Seat.NORTH)
        # By the second attempt, time is up.
        stack.enter_context(frozen_at(deadline + timedelta(seconds=1)))
        late.append(True)
        return write(*given)

    monkeypatch.setattr(moves, "write_move", set_up_by_opponent)
    with ExitStack() as stack:
        stack.enter_context(frozen_at(deadline - timedelta(milliseconds=20)))
        match_helpers.send_setup(match, Seat.SOUTH)
    assert late and as_is(match).status == Status.RUNNING


def test_a_bank_pays_for_each_turn_to_the_microsecond(who: match_helpers.People) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who, pace="24h+4h^72h"))
    alice = match.players.get(seat=Seat.SOUTH)
    began = alice.since
    assert began is not None
    with frozen_at(began + timedelta(hours=10, microseconds=1)):
        match_helpers.play(match, "a4-a5")
    alice.refresh_from_db()
    assert alice.bank == timedelta(hours=18) - timedelta(microseconds=1)
    bob = match.players.get(seat=Seat.NORTH)
    assert bob.bank == timedelta(hours=24)
    assert bob.deadline == began + timedelta(hours=34, microseconds=1)


def test_a_match_without_a_clock_never_ends_on_time(who: match_helpers.People) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who, pace="none"))
    assert match.players.get(to_act=True).deadline is None
    with frozen_at(now() + timedelta(days=4000)):
        assert not any(deadlines.sweep().values())
        match_helpers.play(match, "a4-a5", "j7-j6")
    assert as_is(match).is_live


def test_a_clock_changed_meanwhile_is_read_again_before_the_move(match: Match, alice: User) -> None:
    table = match_store.load_match(match.pk)
    moderation.extend(match.pk, Seat.SOUTH, timedelta(days=1), "A strike.")
    assert match_store.append_ply(table, PlyKind.MOVE, Seat.SOUTH, public="a4-a5") is None
    assert as_is(match).ply == table.match.ply - 1
    match_helpers.play(match, "a4-a5")


def test_a_deadline_is_never_at_night(who: match_helpers.People, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(rest="- 22-8 Europe/Paris")
    match = match_helpers.set_up(match_helpers.new_match(who, pace="24h"))
    evening = datetime(2027, 5, 5, 23, tzinfo=ZoneInfo("Europe/Paris"))
    with frozen_at(evening):
        moderation.extend(match.pk, Seat.SOUTH, timedelta(days=365), "A strike.")
        match_helpers.play(match, "a4-a5")
    assert match.players.get(seat=Seat.NORTH).deadline == evening + timedelta(hours=33)


def test_the_sweep_finds_due_clocks_by_an_index(match: Match) -> None:
    instant = now()
    many = Match.objects.bulk_create(
        Match(preset="lattaque-en", pace="3d", setup_pace="3d", created_at=instant)
        for _ in range(3000)
    )
    seated = match.players.get(seat=Seat.SOUTH)
    Player.objects.bulk_create(
        Player(match=one, user=seated.user, seat=0, check_at=instant + timedelta(days=1))
        for one in many
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert "player_check" in deadlines.due(instant).explain()


@pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(hours=-1)])
def test_the_clock_of_the_web_server_is_not_used(match: Match, jump: timedelta) -> None:
    before = now()
    with time_machine.travel(datetime.now(UTC) + jump):
        match_helpers.play(match, "a4-a5")
        assert not any(deadlines.sweep().values())
    bob = match.players.get(seat=Seat.NORTH)
    assert bob.since is not None
    assert before <= bob.since < before + timedelta(minutes=10)
    assert bob.deadline == bob.since + timedelta(days=3)


def test_a_failing_match_does_not_block_others(
    who: match_helpers.People, match: Match, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    other = match_helpers.running_match(who)
    late = now() - timedelta(minutes=2)
    Player.objects.filter(to_act=True).update(deadline=late, check_at=late)
    Ply.objects.filter(match=match, number=as_is(match).ply).update(sealed=b"broken")
    assert deadlines.sweep()["ended"] == 1
    assert as_is(other).result == "N"
    assert "could not be checked" in caplog.text
    assert match.players.get(to_act=True).check_at > now()


def test_time_added_at_the_last_moment_counts(match: Match) -> None:
    table = match_store.load_match(match.pk)
    moderation.extend(match.pk, Seat.SOUTH, timedelta(days=1), "A strike.")
    ending = match_store.Ending(Status.FINISHED, "N", OffBoardTermination.TIME)
    assert match_store.append_ply(table, PlyKind.TIME, None, ending=ending) is None
    assert as_is(match).is_live
