"""The house accepts challenges and rematches, answers offers, resigns, and never loses on time."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from unittest.mock import patch

import pytest

from accounts.models import User
from games.house import house_accounts
from games.house.models import HouseSeat
from games.house.playing import new_match, offer_answers, queue, seats
from games.house.thinking import child_client, ending_decisions
from games.lobby import commands as lobby
from games.lobby import ports
from games.lobby.models import Invitation, InvitationKind
from games.play.commands import courtesies, deadlines, endings
from games.play.models.match import Match, Player, Status
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import frozen_at, now
from tests.house.conftest import house_of, let_answer, move_first
from tests.ports import connected

Begin = Callable[..., Match]


def rounds(match: Match, alice: User, count: int) -> Match:
    for _ in range(count):
        move_first(match, alice)
        let_answer(match)
    return match


@contextmanager
def after_its_time(match: Match) -> Iterator[None]:
    """Within the block, the time of the player who is to move has run out."""
    Match.objects.filter(pk=match.pk).update(vacations=False)
    player = Player.objects.get(match=match, to_act=True)
    assert player.deadline
    with frozen_at(player.deadline + timedelta(hours=5)):
        yield


TERMS = Terms("assaut")
CHALLENGE = InvitationKind.CHALLENGE


@pytest.fixture
def only_by_worker() -> Iterator[None]:
    """Challenges are not accepted at once, but by the worker."""
    with connected(ports.house_accepts, lambda invitation: None):
        yield


def test_a_challenge_is_accepted_at_once_and_the_house_sets_up(alice: User) -> None:
    guest = house_accounts.opponent("sergeant")
    terms = Terms("lattaque-zh", pace="24h+4h^72h")
    invitation = lobby.offer(alice, terms, kind=CHALLENGE, guest=guest)
    match = invitation.match
    assert match and (match.preset, match.pace) == ("lattaque-zh", "24h+4h^72h")
    assert not Player.objects.get(match=match, user=guest).to_act
    queue.work()
    assert Match.objects.count() == 1


def test_a_challenge_beyond_the_limit_is_refused_and_not_stored(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_match, "MAX_LIVE_MATCHES", 1)
    guest = house_accounts.opponent("recruit")
    lobby.offer(alice, TERMS, kind=CHALLENGE, guest=guest)
    with pytest.raises(Refusal, match="running matches against the computer"):
        lobby.offer(alice, TERMS, kind=CHALLENGE, guest=guest)
    assert [each.status for each in Invitation.objects.all()] == ["accepted"]


def test_a_challenge_that_was_not_answered_at_once_is_answered_by_the_worker(
    alice: User, only_by_worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_match, "MAX_LIVE_MATCHES", 1)
    guest = house_accounts.opponent("recruit")
    for _ in range(2):
        assert lobby.offer(alice, TERMS, kind=CHALLENGE, guest=guest).match is None
    queue.work()
    assert sorted(Invitation.objects.values_list("status", flat=True)) == ["accepted", "declined"]
    assert not Player.objects.filter(user=guest, to_act=True).exists()


def test_the_house_sets_up_in_both_matches_of_a_set(alice: User) -> None:
    guest = house_accounts.opponent("recruit")
    lobby.offer(alice, replace(TERMS, as_set=True), kind=CHALLENGE, guest=guest)
    assert Match.objects.count() == 2
    assert not Player.objects.filter(user=guest, to_act=True).exists()


@pytest.mark.parametrize("leisurely", [False, True])
@pytest.mark.parametrize("by_worker", [False, True])
def test_a_rematch_is_accepted_and_keeps_the_response_time(
    against: Begin, alice: User, request: pytest.FixtureRequest, leisurely: bool, by_worker: bool
) -> None:
    if by_worker:
        request.getfixturevalue("only_by_worker")
    match = against(leisurely=leisurely)
    move_first(match, alice)
    endings.resign(match.pk, alice)
    invitation = lobby.rematch(match.pk, alice)
    if by_worker:
        assert invitation.match is None
        queue.work()
    again = Match.objects.get(rematch_of=match)
    assert Player.objects.get(match=again, user=alice).seat == 1
    house_player = Player.objects.get(match=again, user=house_of(again))
    assert not house_player.to_act
    assert HouseSeat.objects.get(player=house_player).leisurely is leisurely


def test_an_early_draw_offer_is_declined(against: Begin, alice: User) -> None:
    match = rounds(against(), alice, 1)
    endings.offer_draw(match.pk, alice)
    let_answer(match)
    assert match.draw_offer is None and match.status == Status.RUNNING


def test_draw_offers_do_not_delay_turns(against: Begin, alice: User) -> None:
    busy, other = against(), against()
    endings.offer_draw(rounds(busy, alice, 1).pk, alice)
    move_first(other, alice)
    offer_answers.answer_offers(house_accounts.ensure(), time.monotonic())
    busy.refresh_from_db()
    assert busy.draw_offer is not None
    let_answer(other)
    busy.refresh_from_db()
    assert busy.draw_offer is None
    assert Player.objects.get(match=other, user=alice).to_act


def test_an_early_draw_offer_is_declined_without_an_evaluation(against: Begin, alice: User) -> None:
    match = rounds(against(), alice, 1)
    endings.offer_draw(match.pk, alice)
    with patch.object(child_client, "evaluations", side_effect=AssertionError):
        let_answer(match)
    assert match.draw_offer is None and match.status == Status.RUNNING


@pytest.mark.parametrize(("stood", "result"), [(0.0, "draw"), (0.6, "")])
def test_a_draw_is_accepted_unless_it_is_ahead(
    against: Begin, alice: User, stood: float, result: str
) -> None:
    match = rounds(against(), alice, 2)
    endings.offer_draw(match.pk, alice)
    with (
        patch.object(ending_decisions, "TOO_EARLY_TURNS", 2),
        patch.object(child_client, "evaluations", lambda *_: (stood,)),
    ):
        let_answer(match)
    assert match.result == result


def test_it_resigns_only_a_lost_match(against: Begin, alice: User) -> None:
    for stood, status in ((-0.95, Status.FINISHED), (-0.5, Status.RUNNING)):
        match = against()
        move_first(match, alice)
        think = child_client.think

        def with_evaluation(
            *arguments: object, stood: float = stood, think: object = think
        ) -> object:
            return think(*arguments)._replace(evaluations=(stood,) * 6)  # type: ignore[operator]

        # A match can be resigned only after the first move.
        with patch.object(child_client, "think", with_evaluation):
            let_answer(match)
        assert match.status == status


def test_a_match_is_lost_only_after_several_bad_turns() -> None:
    assert not ending_decisions.is_lost((-1.0,) * 5)
    assert not ending_decisions.is_lost((-1.0, -1.0, -0.2, -1.0, -1.0, -1.0))
    assert ending_decisions.is_lost((-1.0,) * 6)


def test_a_pause_is_accepted(against: Begin, alice: User) -> None:
    match = rounds(against(), alice, 1)
    courtesies.offer_pause(match.pk, alice)
    let_answer(match)
    assert match.paused_at is not None


def test_a_scheduled_answer_does_not_end_a_pause(against: Begin, alice: User) -> None:
    match = against(leisurely=True)
    move_first(match, alice)
    ply = let_answer(match).ply
    courtesies.offer_pause(match.pk, alice)
    assert let_answer(match).paused_at is not None
    with frozen_at(now() + timedelta(hours=3)):
        assert let_answer(match).ply == ply
        assert match.paused_at is not None and not seats.any_due()
        courtesies.resume(match.pk, alice)
        assert let_answer(match).ply == ply + 1


def test_it_does_not_lose_on_time_if_no_worker_ran(against: Begin, alice: User) -> None:
    match = against()
    move_first(match, alice)
    with after_its_time(match):
        deadlines.sweep()
        match.refresh_from_db()
        assert match.status == Status.RUNNING
        let_answer(match)
    assert match.status == Status.RUNNING
    assert Player.objects.get(match=match, user=alice).to_act


def test_a_win_on_time_cannot_be_claimed_against_it(alice: User) -> None:
    guest = house_accounts.opponent("recruit")
    terms = Terms("assaut", seat=Seat.SOUTH, pace="1d", setup_pace="1d", soft=True)
    challenge = lobby.offer(alice, terms, kind=CHALLENGE, guest=guest)
    match = challenge.match
    assert match
    match.refresh_from_db()
    move_first(match, alice)
    with after_its_time(match):
        with pytest.raises(Refusal):
            endings.claim_win(match.pk, alice)
        let_answer(match)
    assert Player.objects.get(match=match, user=alice).to_act


def test_a_player_who_is_late_against_the_house_loses(against: Begin, alice: User) -> None:
    match = against()
    with after_its_time(match):
        deadlines.sweep()
    match.refresh_from_db()
    assert (match.status, match.reason) == (Status.FINISHED, "time")
