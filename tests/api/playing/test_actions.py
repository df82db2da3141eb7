"""Actions in a match: resign, abort, draws, pauses, added days, wins on time."""

import json
from datetime import timedelta
from typing import Any, get_args

import pytest

from games.api.playing.moves import ACTIONS
from games.api.schemas.playing import Action
from games.play.models.match import Match, Player
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.api.client import Program, code
from tests.play import match_helpers
from tests.play.match_helpers import People


def act(program: Program, match: Match, action: str) -> Any:
    return program.send("POST", f"/matches/{match.pk}/actions", {"action": action})


def status(program: Program, match: Match, action: str) -> str:
    answer = act(program, match, action)
    assert answer.status_code == 200, answer.content
    return str(json.loads(answer.content)["status"])


@pytest.fixture
def match(who: People) -> Match:
    return match_helpers.running_match(who, *match_helpers.FIRST_MOVES)


def test_every_action_has_a_command() -> None:
    assert set(get_args(Action)) == ACTIONS.keys()


def test_a_player_can_resign(match: Match, alice_program: Program) -> None:
    answer = act(alice_program, match, "resign")
    assert json.loads(answer.content) == {
        "match": match.pk,
        "ply": 5,
        "status": "finished",
        "repeated": False,
    }
    assert code(act(alice_program, match, "resign")) == (409, "match-over")


def test_a_match_can_be_aborted_before_the_first_move(who: People, alice_program: Program) -> None:
    match = match_helpers.new_match(who)
    assert code(act(alice_program, match, "resign")) == (409, "not-now")
    assert status(alice_program, match, "abort") == "cancelled"


def test_a_draw_is_offered_declined_and_accepted(
    match: Match, alice_program: Program, bob_program: Program
) -> None:
    assert code(act(bob_program, match, "accept-draw")) == (409, "not-now")
    assert status(alice_program, match, "offer-draw") == "running"
    assert code(act(alice_program, match, "offer-draw")) == (409, "not-now")
    assert status(bob_program, match, "decline-draw") == "running"
    match_helpers.moved_enough(match)
    status(alice_program, match, "offer-draw")
    assert status(bob_program, match, "accept-draw") == "finished"


def test_offering_what_the_opponent_offers_accepts_it(
    match: Match, alice_program: Program, bob_program: Program
) -> None:
    status(alice_program, match, "offer-pause")
    status(bob_program, match, "offer-pause")
    match.refresh_from_db()
    assert match.paused_at is not None
    assert status(alice_program, match, "resume") == "running"
    status(alice_program, match, "offer-draw")
    assert status(bob_program, match, "offer-draw") == "finished"


def test_pauses_are_declined(match: Match, alice_program: Program, bob_program: Program) -> None:
    assert code(act(bob_program, match, "decline-pause")) == (409, "not-now")
    status(alice_program, match, "offer-pause")
    status(bob_program, match, "decline-pause")
    assert code(act(bob_program, match, "accept-pause")) == (409, "not-now")


def test_a_day_is_added(match: Match, bob_program: Program) -> None:
    clock = Player.objects.get(match=match, seat=Seat.SOUTH)
    status(bob_program, match, "give-day")
    after = Player.objects.get(pk=clock.pk)
    assert clock.deadline and after.deadline
    assert after.deadline - clock.deadline == timedelta(days=1)


def test_a_win_on_time_is_claimed(match: Match, bob_program: Program) -> None:
    Match.objects.filter(pk=match.pk).update(soft=True)
    assert code(act(bob_program, match, "claim")) == (409, "not-now")
    with frozen_at(now() + timedelta(days=4)):
        assert status(bob_program, match, "claim") == "finished"


@pytest.mark.parametrize("body", [{}, {"action": "win"}, {"action": None}, {"action": ["resign"]}])
def test_other_actions_are_not_found(
    match: Match, alice_program: Program, body: dict[str, object]
) -> None:
    answer = alice_program.send("POST", f"/matches/{match.pk}/actions", body)
    assert code(answer) == (422, "invalid")
