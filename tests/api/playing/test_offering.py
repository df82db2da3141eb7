"""Invitations over the API: open seats, challenges, house opponents, and what is refused."""

from typing import Any, get_args

import pytest

from accounts.models import User
from games.api.schemas.invitations import Invitation as Shown
from games.api.schemas.inviting import Finished, InvitationBody, Pace
from games.lobby import commands
from games.lobby.forms import time_control
from games.lobby.invitations.conditions import FINISHED, Conditions
from games.lobby.models import Invitation, InvitationKind
from games.play.models.match import Match
from games.play.record.proofs import bundles
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.proof import deal
from tests.api.client import Program, code, json_of
from tests.play.match_helpers import People


def offer(program: Program, **body: object) -> Any:
    return program.send("POST", "/invitations", {"preset": "lattaque-en", **body})


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
        "rated": False,
        "listed": True,
        "rating_from": None,
        "rating_to": None,
        "established": False,
        "min_finished": 0,
        "reliable": False,
        "repeats": 0,
        "commitments": [],
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


def test_every_term_and_condition_can_be_offered_and_is_shown() -> None:
    """A new term is a member of both schemas too, with the default of the site's rules."""
    written = {"as_set": "set", "setup_pace": "setup_days"}
    for rules in (Terms("lattaque-en"), Conditions()):
        for name, value in rules.values().items():
            member = written.get(name, name)
            assert member in Shown.model_fields, name
            assert member in InvitationBody.model_fields, name
            if name not in ("preset", "setup_pace", "vacations"):  # the form proposes vacations
                assert InvitationBody.model_fields[member].default == value, name
    assert get_args(Finished) == FINISHED


CONDITIONS = {
    "rating_from": 1_400,
    "rating_to": 1_600,
    "established": True,
    "min_finished": 5,
    "reliable": True,
}


def test_a_rated_seat_with_conditions_is_offered_shown_and_refused_to_others(
    alice_program: Program, bob_program: Program
) -> None:
    terms = CONDITIONS | {"rated": True, "listed": False, "repeats": 9}
    offered = json_of(offer(alice_program, **terms))
    row = Invitation.objects.get()
    assert Conditions.of_invitation(row).values() == CONDITIONS
    assert (row.rated, row.listed, row.repeats) == (True, False, 9)
    (seat,) = bob_program.read("/lobby")["invitations"]
    assert seat == offered
    assert {name: seat[name] for name in terms} == terms
    answer = bob_program.send("POST", f"/invitations/{row.pk}/accept")
    assert code(answer) == (422, "refused")
    assert "established" in json_of(answer)["detail"]


def test_a_match_shows_whether_it_is_listed(alice_program: Program, bob_program: Program) -> None:
    for listed in (True, False):
        number = json_of(offer(alice_program, listed=listed))["invitation"]
        match = json_of(bob_program.send("POST", f"/invitations/{number}/accept"))["match"]
        assert alice_program.read(f"/matches/{match}")["listed"] is listed


def test_a_seat_is_offered_again(alice_program: Program, bob_program: Program) -> None:
    number = json_of(offer(alice_program, repeats=2))["invitation"]
    bob_program.send("POST", f"/invitations/{number}/accept")
    (again,) = alice_program.read("/invitations")["invitations"]
    assert (again["status"], again["repeats"]) == ("open", 1)


def test_a_deal_depends_on_the_words_of_both(
    alice_program: Program, bob_program: Program, who: People
) -> None:
    body = {"preset": "domino", "set": True, "words": "  fair \n wind "}
    answer = offer(alice_program, **body)
    offered = json_of(answer)
    row = Invitation.objects.get()
    assert offered["commitments"] == row.commitments.split()
    assert [len(each) for each in offered["commitments"]] == [64, 64]
    assert row.words == "fair wind"
    accepted = bob_program.send(
        "POST", f"/invitations/{row.pk}/accept", {"words": "all's\u0301 well"}
    )
    assert b"fair" not in answer.content + accepted.content
    bundle = bundles.bundle(json_of(accepted)["match"])
    for words in ("fair wind", "all'ś well"):
        assert deal.words_hash(words) in bundle


@pytest.mark.parametrize(
    ("content", "expected"), [(b"", 200), (b"{}", 200), (b'{"words":""}', 200)]
)
def test_words_may_be_left_out(
    alice_program: Program, bob_program: Program, content: bytes, expected: int
) -> None:
    number = json_of(offer(alice_program, preset="domino"))["invitation"]
    for _ in range(2):
        answer = bob_program.send(
            "POST", f"/invitations/{number}/accept", content, HTTP_IDEMPOTENCY_KEY="a-key-of-bob"
        )
        assert answer.status_code == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"null", (422, "invalid")),
        (b"[]", (422, "invalid")),
        (b'{"word": "x"}', (422, "invalid")),
        (b'{"words": null}', (422, "invalid")),
        (b'{"words": "' + b"x" * 101 + b'"}', (422, "invalid")),
        (b"{", (400, "malformed")),
    ],
)
def test_wrong_words_are_refused(
    alice_program: Program, bob_program: Program, content: bytes, expected: tuple[int, str]
) -> None:
    number = json_of(offer(alice_program, preset="domino"))["invitation"]
    answer = bob_program.send("POST", f"/invitations/{number}/accept", content)
    assert code(answer) == expected
    assert Invitation.objects.get().match is None


def test_a_note_has_nothing_invisible(alice_program: Program) -> None:
    answer = offer(alice_program, note="\u202eevil\u202c \u200b \x1b[31mred\t\u2066x")
    assert json_of(answer)["note"] == "evil [31mred x"
    assert json_of(offer(alice_program, note="\u202e"))["note"] == ""


def test_a_private_link_stays_on_the_site(
    alice_program: Program, bob_program: Program, who: People
) -> None:
    link = commands.offer(who.alice, Terms("lattaque-en"), kind=InvitationKind.LINK)
    (shown,) = alice_program.read("/invitations")["invitations"]
    assert (shown["invitation"], shown["kind"]) == (link.pk, "link")
    for what in ("withdraw", "accept", "decline"):
        path = f"/invitations/{link.pk}/{what}"
        assert code(alice_program.send("POST", path)) == (422, "refused")
        assert code(bob_program.send("POST", path)) == (404, "not-found")
    link.refresh_from_db()
    assert link.status == "open"


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
        ({"rated": 1}, 422, "invalid", "body.rated"),
        ({"listed": None}, 422, "invalid", "body.listed"),
        ({"rating_from": 99}, 422, "invalid", "body.rating_from"),
        ({"rating_to": 3_501}, 422, "invalid", "body.rating_to"),
        ({"rating_from": 1_600, "rating_to": 1_599}, 422, "invalid", "body.rating_to"),
        ({"established": 1}, 422, "invalid", "body.established"),
        ({"min_finished": 2}, 422, "invalid", "body.min_finished"),
        ({"min_finished": True}, 422, "invalid", "body.min_finished"),
        ({"repeats": 10}, 422, "invalid", "body.repeats"),
        ({"repeats": -1}, 422, "invalid", "body.repeats"),
        ({"words": "x" * 101}, 422, "invalid", "body.words"),
        ({"words": "\ufb1d" * 60}, 422, "invalid", "body.words"),
        ({"guest": "Bob", "rating_to": 1_600}, 422, "invalid", "body.rating_to"),
        ({"guest": "Bob", "established": True}, 422, "invalid", "body.established"),
        ({"guest": "Bob", "min_finished": 5}, 422, "invalid", "body.min_finished"),
        ({"guest": "Bob", "repeats": 1}, 422, "invalid", "body.repeats"),
        ({"rated": True, "pace": "none"}, 422, "refused", ""),
        ({"rated": True, "switches": {"spy_both": True}}, 422, "refused", ""),
        ({"rated": True, "guest": "House-Recruit"}, 422, "refused", ""),
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
