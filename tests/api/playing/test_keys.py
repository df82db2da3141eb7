"""Idempotency keys of requests: one change, and its first response again."""

import json
from typing import Any

import pytest

from accounts.tokens import making
from games.idempotency.models import StoredApiResponse
from games.lobby.models import Invitation
from games.play.models.match import Match
from games.play.models.ply import Ply
from tests.api.client import Program, code
from tests.play import match_helpers
from tests.play.match_helpers import People

KEY = {"HTTP_IDEMPOTENCY_KEY": "match-7-ply-2"}


@pytest.fixture
def match(who: People) -> Match:
    return match_helpers.running_match(who)


def move(program: Program, match: Match, text: str = "a4-a5", ply: int = 2, **headers: str) -> Any:
    body = {"move": text, "ply": ply}
    return program.send("POST", f"/matches/{match.pk}/moves", body, **headers or KEY)


def test_a_repeated_move_gets_the_same_response_byte_for_byte(
    match: Match, alice_program: Program
) -> None:
    first, again = move(alice_program, match), move(alice_program, match)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.content == again.content
    assert first["Content-Type"] == again["Content-Type"]
    assert again["Idempotency-Replayed"] == "true" and "Idempotency-Replayed" not in first
    assert json.loads(again.content)["repeated"] is False
    match_helpers.play(match, "j7-j6", "a5-a6")
    assert move(alice_program, match).content == first.content
    assert Ply.objects.filter(match=match).count() == 6


def test_a_repeated_invitation_is_created_once(alice_program: Program) -> None:
    first, again = (
        alice_program.send("POST", "/invitations", {"preset": "assaut", "note": "Ça va"}, **KEY)
        for _ in range(2)
    )
    assert (again.status_code, again["Location"]) == (201, first["Location"])
    assert again.content == first.content
    assert Invitation.objects.count() == 1


def test_a_key_with_another_body_or_path_is_refused_and_plays_nothing(
    match: Match, who: People, alice_program: Program
) -> None:
    other = match_helpers.running_match(who)
    move(alice_program, match)
    match_helpers.play(match, "j7-j6")
    assert code(move(alice_program, match, "a5-a6", 4)) == (422, "key-reused")
    assert code(move(alice_program, other)) == (422, "key-reused")
    action = alice_program.send("POST", f"/matches/{match.pk}/actions", {"action": "resign"}, **KEY)
    assert code(action) == (422, "key-reused")
    match.refresh_from_db()
    assert match.ply == 4


def test_a_refusal_does_not_use_up_the_key(match: Match, alice_program: Program) -> None:
    assert code(move(alice_program, match, "a4-a9")) == (422, "illegal-move")
    assert code(move(alice_program, match, ply=1)) == (409, "stale-ply")
    assert not StoredApiResponse.objects.exists()
    assert move(alice_program, match).status_code == 200


def test_keys_belong_to_the_account_whichever_token_it_uses(
    match: Match, who: People, alice_program: Program, bob_program: Program
) -> None:
    first = move(alice_program, match)
    text = making.create(who.alice, "another", ["play"]).text
    assert move(Program(token=text), match).content == first.content
    assert bob_program.send("POST", "/invitations", {"preset": "assaut"}, **KEY).status_code == 201


def test_a_key_gives_no_access_without_the_scope(
    match: Match, who: People, alice_program: Program
) -> None:
    move(alice_program, match)
    reader = Program(who.charlie)
    assert code(move(reader, match)) == (403, "insufficient-scope")
    assert code(move(Program(), match)) == (401, "unauthorized")


@pytest.mark.parametrize("key", ["", "short", "x" * 65, "with blanks", "a,b;c=defgh", "ü" * 9])
def test_an_invalid_key_is_refused(match: Match, alice_program: Program, key: str) -> None:
    answer = move(alice_program, match, HTTP_IDEMPOTENCY_KEY=key)
    assert code(answer) == (422, "invalid")
    assert json.loads(answer.content)["errors"][0]["where"] == "header.Idempotency-Key"
    match.refresh_from_db()
    assert match.ply == 2


def test_a_move_sent_twice_with_one_key_two_or_none_is_one_ply(
    match: Match, alice_program: Program, bob_program: Program
) -> None:
    moves = ["a4-a5", "j7-j6", "a5-a4", "j6-j7", "b4-b5", "j7-j6"]
    for number, text in enumerate(moves):
        program, ply = (alice_program, bob_program)[number % 2], 2 + number
        keys: list[dict[str, str]] = [
            {"HTTP_IDEMPOTENCY_KEY": f"first-key-{number}"},
            {"HTTP_IDEMPOTENCY_KEY": f"first-key-{number}"},
            {"HTTP_IDEMPOTENCY_KEY": f"other-key-{number}"},
            {"HTTP_ACCEPT": "*/*"},
        ]
        answers = [json.loads(move(program, match, text, ply, **key).content) for key in keys]
        assert [answer["ply"] for answer in answers] == [ply + 1] * 4
        assert [answer["repeated"] for answer in answers] == [False, False, True, True]
    match.refresh_from_db()
    assert match.ply == 8


def test_a_key_with_get_is_ignored(match: Match, alice_program: Program) -> None:
    assert alice_program.get(f"/matches/{match.pk}", **KEY).status_code == 200
    assert move(alice_program, match).status_code == 200
