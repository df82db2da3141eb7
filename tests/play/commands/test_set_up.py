"""Set-ups: sent simultaneously, secret, once."""

import pytest

from accounts.models import User
from games.play.commands import endings, moves
from games.play.models.match import Player, Status
from games.play.record import match_view
from games.play.refusals import MatchIsOver
from games.rules.core.basics.refusals import BadSetup, Refusal
from tests.play import match_helpers
from tests.play.match_helpers import People, as_is

pytestmark = pytest.mark.postgresql_soak

SOUTH, NORTH = match_helpers.SETUPS["lattaque-10x10"]


def test_both_are_to_set_up_at_once(who: People, alice: User, bob: User) -> None:
    match = match_helpers.new_match(who)
    assert match.players.filter(to_act=True, deadline__isnull=False).count() == 2


def test_play_starts_after_both_set_ups_in_either_order(
    who: People, alice: User, bob: User
) -> None:
    match = match_helpers.new_match(who)
    moves.submit_move(match.pk, bob, NORTH, None)
    assert as_is(match).status == Status.SETUP
    moves.submit_move(match.pk, alice, SOUTH, None)
    match = as_is(match)
    assert (match.status, match.opening, match.ply) == (Status.RUNNING, 2, 2)
    assert match.players.get(to_act=True).user == alice


def test_the_first_set_up_is_hidden_from_everybody_else(
    who: People, alice: User, bob: User, charlie: User
) -> None:
    match = match_helpers.new_match(who)
    moves.submit_move(match.pk, alice, SOUTH, None)
    assert len(match_view.view_match(match.pk, alice).observation.pieces) == 36
    for reader in (bob, charlie, None):
        assert not match_view.view_match(match.pk, reader).observation.pieces


def test_a_set_up_cannot_be_changed_after_it_was_sent(who: People, alice: User, bob: User) -> None:
    match = match_helpers.new_match(who)
    moves.submit_move(match.pk, alice, SOUTH, None)
    with pytest.raises(Refusal):
        moves.submit_move(match.pk, alice, NORTH, None)


def test_sending_the_same_set_up_twice_counts_once(who: People, alice: User, bob: User) -> None:
    match = match_helpers.new_match(who)
    first = moves.submit_move(match.pk, alice, SOUTH, None)
    second = moves.submit_move(match.pk, alice, SOUTH.lower(), None)
    assert (second.ply, second.repeated) == (first.ply, True)


def test_a_set_up_without_three_bombs_says_so(who: People, alice: User, bob: User) -> None:
    match = match_helpers.new_match(who)
    with pytest.raises(BadSetup) as refused:
        moves.submit_move(match.pk, alice, SOUTH.replace("B", "1", 3), None)
    assert "Three Bombs are left to place." in [str(fault) for fault in refused.value.faults]


def test_a_missing_set_up_cancels_the_match_without_a_loser(
    who: People, alice: User, bob: User
) -> None:
    match = match_helpers.new_match(who)
    moves.submit_move(match.pk, alice, SOUTH, None)
    Player.objects.filter(match=match).update(deadline="2020-01-01T00:00:00Z", to_act=True)
    assert endings.claim_time(match.pk)
    match = as_is(match)
    assert (match.status, match.result) == (Status.CANCELLED, "")
    with pytest.raises(MatchIsOver):
        moves.submit_move(match.pk, bob, NORTH, None)


def test_a_cancelled_match_reveals_no_army(who: People, alice: User, bob: User) -> None:
    match = match_helpers.new_match(who)
    moves.submit_move(match.pk, alice, SOUTH, None)
    endings.abort(match.pk, bob)
    assert not match_view.view_match(match.pk, bob).observation.pieces
    assert not any(match_view.record(match.pk, bob).setups)
