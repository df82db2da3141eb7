"""Invitations over the API: open seats, challenges, house opponents, and what is refused."""

import json
from typing import Any, get_args

import pytest

from accounts.models import User
from games.api.schemas.inviting import Pace
from games.lobby.forms import time_control
from games.lobby.models import Invitation, InvitationKind
from games.play.models.match import Match
from games.rules.core.basics.pieces import Seat
from tests.api.client import Program, code
from tests.play.match_helpers import People


def offer(program: Program, **body: object) -> Any:
    return program.send("POST", "/invitations", {"preset": "lattaque-en", **body})


def json_of(answer: Any) -> Any:
    return json.loads(answer.content)


def test_an_open_seat_has_the_default_terms(alice_program: Program, who: People) -> None:
    answer = offer(alice_program)
    assert answer.status_code == 201
    offered = json_of(answer)
    assert answer["Location"] == f"/api/v1/invitations/{offered['invitation']}"
    assert alice_program.read(answer["Location"]) == offered
    expected = {
        "status": "open",
        "owner": {"name": "Alice", "kind": "person"},
        "guest": None,
        "switches": {},
        "seat": None,
        "set": False,
        "pace": "3d",
        "setup_days": 3,
        "soft": False,
        "vacations": True,
        "memory_aid": True,
        "note": "",
        "match": None,
    }
    assert {name: offered[name] for name in expected} == expected
    row = Invitation.objects.get()
    assert (row.kind, row.rated, row.listed) == (InvitationKind.SEAT, False, True)


def test_a_challenge_can_have_all_terms(
    alice_program: Program, bob_program: Program, who: People
) -> None:
    answer = offer(
        alice_program,
        preset="assaut",
        guest="bOb",
        seat="O",
        set=True,
        pace="72h+12h^120h",
        setup_days=9,
        soft=True,
        vacations=False,
        memory_aid=False,
        note="  Well,\n\nthen. ",
    )
    row = Invitation.objects.get()
    assert answer.status_code == 201
    assert (row.guest, row.kind) == (who.bob, InvitationKind.CHALLENGE)
    assert (row.seat, row.as_set, row.pace, row.setup_pace) == (
        Seat.NORTH,
        True,
        "72h+12h^120h",
        "9d",
    )
    assert (row.soft, row.vacations, row.memory_aid, row.note) == (
        True,
        False,
        False,
        "Well, then.",
    )
    accepted = bob_program.send("POST", f"/invitations/{row.pk}/accept")
    assert json_of(accepted)["status"] == "accepted"
    assert Match.objects.get(pk=json_of(accepted)["match"]).preset == "assaut"


@pytest.mark.parametrize("name", ["House-Recruit", "house-marshal"])
def test_house_opponents_accept_at_once(alice_program: Program, name: str) -> None:
    answer = json_of(offer(alice_program, guest=name))
    assert (answer["status"], answer["guest"]["kind"]) == ("accepted", "house")
    assert Match.objects.get(pk=answer["match"]).is_live


def test_rule_options_are_accepted_and_checked(alice_program: Program) -> None:
    assert json_of(offer(alice_program, switches={"spy_both": True}))["switches"] == {
        "spy_both": True
    }


@pytest.mark.parametrize(
    ("body", "status", "expected", "where"),
    [
        ({"preset": "nonsense"}, 422, "unknown-rules", ""),
        ({"switches": {"nonsense": True}}, 422, "unknown-rules", ""),
        ({"switches": {"spy_both": "perhaps"}}, 422, "unknown-rules", ""),
        ({"guest": "Nobody"}, 422, "invalid", "body.guest"),
        ({"guest": ""}, 422, "invalid", "body.guest"),
        ({"opponent": "Bob"}, 422, "invalid", "body.opponent"),
        ({"seat": "O"}, 422, "invalid", "body.seat"),
        ({"seat": ""}, 422, "invalid", "body.seat"),
        ({"pace": "4d"}, 422, "invalid", "body.pace"),
        ({"setup_days": 0}, 422, "invalid", "body.setup_days"),
        ({"setup_days": 61}, 422, "invalid", "body.setup_days"),
        ({"setup_days": "3"}, 422, "invalid", "body.setup_days"),
        ({"soft": "yes"}, 422, "invalid", "body.soft"),
        ({"note": "x" * 201}, 422, "invalid", "body.note"),
        ({"guest": "Alice"}, 422, "refused", ""),
    ],
)
def test_invalid_offers_are_refused(
    alice_program: Program, body: dict[str, object], status: int, expected: str, where: str
) -> None:
    answer = offer(alice_program, **body)
    assert code(answer) == (status, expected)
    if where:
        assert json_of(answer)["errors"][0]["where"] == where
    assert not Invitation.objects.exists()


def test_open_invitations_are_limited(alice_program: Program) -> None:
    for _ in range(20):
        assert offer(alice_program).status_code == 201
    assert code(offer(alice_program)) == (409, "limit-reached")


def test_time_controls_are_those_of_the_site() -> None:
    choices = [key for _group, pairs in time_control.pace_choices() for key, _words in pairs]
    assert list(get_args(Pace)) == choices


def test_challenges_are_declined_and_withdrawn(
    alice_program: Program, bob_program: Program
) -> None:
    number = json_of(offer(alice_program, guest="Bob"))["invitation"]
    assert code(alice_program.send("POST", f"/invitations/{number}/decline")) == (422, "refused")
    assert code(alice_program.send("POST", f"/invitations/{number}/accept")) == (422, "refused")
    assert code(bob_program.send("POST", f"/invitations/{number}/withdraw")) == (422, "refused")
    for _ in range(2):
        answer = json_of(bob_program.send("POST", f"/invitations/{number}/decline"))
        assert answer["status"] == "declined"
    assert code(bob_program.send("POST", f"/invitations/{number}/accept")) == (
        409,
        "no-longer-open",
    )
    number = json_of(offer(alice_program, guest="Bob"))["invitation"]
    for _ in range(2):
        answer = json_of(alice_program.send("POST", f"/invitations/{number}/withdraw"))
        assert answer["status"] == "withdrawn"


def test_an_accepted_invitation_cannot_be_withdrawn(
    alice_program: Program, bob_program: Program
) -> None:
    number = json_of(offer(alice_program))["invitation"]
    first = json_of(bob_program.send("POST", f"/invitations/{number}/accept"))
    assert (
        json_of(bob_program.send("POST", f"/invitations/{number}/accept"))["match"]
        == first["match"]
    )
    assert code(alice_program.send("POST", f"/invitations/{number}/withdraw")) == (
        409,
        "no-longer-open",
    )


def test_invitations_of_others_are_not_found(
    alice_program: Program, stranger: Program, who: People
) -> None:
    challenge = json_of(offer(alice_program, guest="Bob"))["invitation"]
    for what in ("accept", "decline", "withdraw"):
        answers = [
            stranger.send("POST", f"/invitations/{number}/{what}") for number in (challenge, 10**15)
        ]
        assert [code(answer) for answer in answers] == [(404, "not-found")] * 2
        assert answers[0].content == answers[1].content


def test_scopes_are_required(who: People) -> None:
    player: User = who.alice
    answer = offer(Program(player, "play"))
    assert code(answer) == (403, "insufficient-scope")
    assert json_of(answer)["scope"] == "challenge"
