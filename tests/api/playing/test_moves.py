"""Moves and set-ups: played by the commands of pages, refused by status and code."""

from datetime import timedelta
from typing import Any

import pytest

from games.play.models.match import Match
from games.play.models.ply import Ply
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.api.client import Program, code, json_of
from tests.play import match_helpers
from tests.play.match_helpers import People

SETUPS = match_helpers.SETUPS["lattaque-10x10"]


def move(program: Program, match: Match, text: object, ply: object, **headers: str) -> Any:
    path = f"/matches/{match.pk}/moves"
    return program.send("POST", path, {"move": text, "ply": ply}, **headers)


def setup(program: Program, match: Match, text: str) -> Any:
    return program.send("POST", f"/matches/{match.pk}/setup", {"setup": text})


def test_set_ups_and_moves_are_played(
    who: People, alice_program: Program, bob_program: Program
) -> None:
    match = match_helpers.new_match(who)
    answer = setup(bob_program, match, SETUPS[Seat.NORTH])
    assert json_of(answer) == {"match": match.pk, "ply": 1, "status": "setup", "repeated": False}
    assert json_of(setup(alice_program, match, SETUPS[Seat.SOUTH]))["status"] == "running"
    answer = move(alice_program, match, "a4-a5", 2)
    assert json_of(answer) == {"match": match.pk, "ply": 3, "status": "running", "repeated": False}
    assert json_of(move(bob_program, match, "J7 J6", 3))["ply"] == 4
    assert Ply.objects.get(match=match, number=4).text == "j7-j6"


def test_the_response_to_the_last_move_says_that_the_match_is_over(
    who: People, alice_program: Program
) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who), north=match_helpers.RECKLESS)
    assert json_of(move(alice_program, match, "a4xa7", 2))["status"] == "finished"


def test_a_repeated_move_is_answered_as_repeated(who: People, alice_program: Program) -> None:
    match = match_helpers.new_match(who)
    for repeated in (False, True):
        assert json_of(setup(alice_program, match, SETUPS[Seat.SOUTH]))["repeated"] is repeated
    match_helpers.send_setup(match, Seat.NORTH)
    for repeated in (False, True):
        answer = json_of(move(alice_program, match, "a4-a5", 2))
        assert (answer["ply"], answer["repeated"]) == (3, repeated)
    match_helpers.play(match, "j7-j6", "a5-a6")
    answer = json_of(move(alice_program, match, "a4-a5", 2))
    assert (answer["ply"], answer["repeated"]) == (3, True)


@pytest.mark.parametrize(
    ("text", "ply", "status", "expected"),
    [
        ("a4-a6", 2, 409, "stale-ply"),
        ("a4-a5", 3, 409, "stale-ply"),
        ("a4-a5", 99, 409, "stale-ply"),
        ("a4-b5", 4, 422, "illegal-move"),
        ("a9-a8", 4, 422, "illegal-move"),
        ("b4xb5", 4, 422, "illegal-move"),
        ("what?", 4, 422, "unreadable-move"),
        ("", 4, 422, "unreadable-move"),
        ("z1-z2", 4, 422, "unreadable-move"),
    ],
)
def test_illegal_moves_are_refused(
    who: People, alice_program: Program, text: str, ply: int, status: int, expected: str
) -> None:
    match = match_helpers.running_match(who, *match_helpers.FIRST_MOVES)
    answer = move(alice_program, match, text, ply)
    assert code(answer) == (status, expected)
    assert json_of(answer).get("ply") == (4 if expected == "stale-ply" else None)
    assert "page" not in json_of(answer)["detail"]
    match.refresh_from_db()
    assert match.ply == 4


def test_a_move_out_of_turn_or_in_a_finished_match_is_refused(
    who: People, alice_program: Program, bob_program: Program
) -> None:
    match = match_helpers.running_match(who)
    assert code(move(bob_program, match, "j7-j6", 2)) == (409, "not-your-turn")
    match_helpers.play(match, "a4-a5")
    match_helpers.resign(match, Seat.NORTH)
    assert code(move(alice_program, match, "a5-a6", 4)) == (409, "match-over")
    assert json_of(move(alice_program, match, "a4-a5", 2))["repeated"] is True


def test_a_late_move_is_refused(who: People, alice_program: Program) -> None:
    match = match_helpers.running_match(who)
    with frozen_at(now() + timedelta(days=4)):
        assert code(move(alice_program, match, "a4-a5", 2)) == (409, "too-late")


def test_moves_before_the_set_ups_are_refused(who: People, alice_program: Program) -> None:
    match = match_helpers.new_match(who)
    assert code(move(alice_program, match, "a4-a5", 0)) == (409, "not-now")
    assert code(move(alice_program, match, "a4-a5", 7)) == (409, "stale-ply")
    match_helpers.send_setup(match, Seat.SOUTH)
    assert code(move(alice_program, match, "a4-a5", 1)) == (409, "not-your-turn")


def test_wrong_late_and_unneeded_set_ups_are_refused(
    who: People, alice_program: Program, bob_program: Program
) -> None:
    match = match_helpers.new_match(who)
    answer = setup(alice_program, match, "RRRR/2")
    assert code(answer) == (422, "bad-setup")
    assert json_of(answer)["faults"] and all(
        each.endswith(".") for each in json_of(answer)["faults"]
    )
    assert json_of(answer)["detail"] == json_of(answer)["faults"][0]
    setup(alice_program, match, SETUPS[Seat.SOUTH])
    other = SETUPS[Seat.SOUTH].replace("RRR1R", "RR1RR", 1)
    assert code(setup(alice_program, match, other)) == (409, "not-now")
    setup(bob_program, match, SETUPS[Seat.NORTH])
    assert code(setup(alice_program, match, other)) == (409, "not-now")
    match_helpers.play(match, "a4-a5")
    match_helpers.resign(match, Seat.NORTH)
    soldiers = match_helpers.new_match(who, "assaut")
    answer = setup(alice_program, soldiers, "c7,e7")
    assert code(answer) == (409, "not-now")
    assert "nothing to set up" in json_of(answer)["detail"]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"move": "a4-a5"}, "body.ply"),
        ({"ply": 2}, "body.move"),
        ({"move": "a4-a5", "ply": "2"}, "body.ply"),
        ({"move": "a4-a5", "ply": 2.0}, "body.ply"),
        ({"move": "a4-a5", "ply": True}, "body.ply"),
        ({"move": "a4-a5", "ply": -1}, "body.ply"),
        ({"move": "a4-a5", "ply": 10**19}, "body.ply"),
        ({"move": 4, "ply": 2}, "body.move"),
        ({"move": "a" * 301, "ply": 2}, "body.move"),
        ({"move": "a4-a5", "ply": 2, "seat": "S"}, "body.seat"),
    ],
)
def test_bodies_of_another_form_are_refused(
    who: People, alice_program: Program, body: dict[str, object], where: str
) -> None:
    match = match_helpers.running_match(who)
    answer = alice_program.send("POST", f"/matches/{match.pk}/moves", body)
    assert code(answer) == (422, "invalid")
    assert json_of(answer)["errors"][0]["where"] == where


def test_other_users_get_the_same_response_for_a_match_and_an_unused_number(
    who: People, stranger: Program
) -> None:
    match = match_helpers.running_match(who)
    over = match_helpers.finished_match(who)
    bodies = {
        "moves": {"move": "a4-a5", "ply": 2},
        "setup": {"setup": "RRR"},
        "actions": {"action": "resign"},
    }
    for what, body in bodies.items():
        answers = [
            stranger.send("POST", f"/matches/{number}/{what}", body)
            for number in (match.pk, over.pk, 10**15)
        ]
        assert [code(answer) for answer in answers] == [(404, "not-found")] * 3
        assert len({answer.content for answer in answers}) == 1
        headers = [
            {name: value for name, value in answer.items() if name != "X-Request-ID"}
            for answer in answers
        ]
        assert headers[0] == headers[1] == headers[2]


def test_scopes_are_required(who: People) -> None:
    match = match_helpers.running_match(who)
    for user, scopes in ((who.alice, ()), (who.bob, ("challenge",))):
        answer = move(Program(user, *scopes), match, "a4-a5", 2)
        assert code(answer) == (403, "insufficient-scope")
        assert json_of(answer)["scope"] == "play"
    assert code(move(Program(), match, "a4-a5", 2)) == (401, "unauthorized")
