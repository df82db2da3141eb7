"""Invitations: open seats, one's own, one of them, and what a block hides."""

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.api.reading import cursors
from games.lobby import commands as lobby
from games.lobby.models import INVITATION_LIFETIME, Invitation, InvitationKind
from games.people.blocking import blocks
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.api.client import Program, code

pytestmark = pytest.mark.postgresql_soak

TERMS = Terms("assaut", seat=Seat.NORTH, pace="2d")


def offer(owner: User, kind: InvitationKind = InvitationKind.SEAT, **more: object) -> Invitation:
    invitation: Invitation = lobby.offer(owner, TERMS, kind=kind, **more)  # type: ignore[arg-type]
    return invitation


def numbers(program: Program, path: str) -> list[int]:
    return [each["invitation"] for each in program.read(path)["invitations"]]


def test_an_invitation_has_its_terms(visitor: Program, alice: User) -> None:
    seat = offer(alice, note="Slowly, please.")
    read = visitor.read(f"/invitations/{seat.pk}")
    assert visitor.read("/lobby") == {"invitations": [read], "next": None}
    assert read.pop("created_at") < read.pop("expires_at")
    assert read == {
        "invitation": seat.pk,
        "kind": "seat",
        "status": "open",
        "owner": {"name": "Alice", "kind": "person"},
        "guest": None,
        "preset": "assaut",
        "switches": {},
        "seat": "O",
        "set": False,
        "pace": "2d",
        "setup_days": 3,
        "soft": False,
        "vacations": False,
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
        "note": "Slowly, please.",
        "match": None,
    }


def test_the_lobby_lists_the_seats_of_others_newest_first(
    alice_program: Program,
    visitor: Program,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cursors, "ROWS_PER_PAGE", 2)
    own = offer(alice).pk
    others = [offer(bob).pk for _ in range(3)]
    first = alice_program.read("/lobby")
    assert [each["invitation"] for each in first["invitations"]] == [others[2], others[1]]
    Invitation.objects.filter(pk=others[1]).delete()
    assert numbers(alice_program, f"/lobby?cursor={first['next']}") == [others[0]]
    assert numbers(visitor, f"/lobby?cursor={first['next']}") == [others[0], own]
    for cursor in ("matches-1-1", "1", ""):
        assert code(alice_program.get(f"/lobby?cursor={cursor}")) == (422, "invalid")


def test_own_invitations_are_sent_and_received_ones(
    alice_program: Program, visitor: Program, alice: User, bob: User, charlie: User
) -> None:
    offered = [offer(alice).pk, offer(alice, InvitationKind.LINK).pk]
    challenge = offer(bob, InvitationKind.CHALLENGE, guest=alice).pk
    offer(bob)
    offer(bob, InvitationKind.CHALLENGE, guest=charlie)
    assert numbers(alice_program, "/invitations") == [challenge, *offered[::-1]]
    lobby.withdraw(offered[0], alice)
    lobby.decline(challenge, alice)
    assert numbers(alice_program, "/invitations") == [offered[1]]
    assert alice_program.read(f"/invitations/{challenge}")["status"] == "declined"
    assert code(visitor.get("/invitations")) == (401, "unauthorized")


def test_invitations_for_others_are_not_found(
    alice_program: Program,
    bob_program: Program,
    visitor: Program,
    alice: User,
    bob: User,
    charlie: User,
) -> None:
    challenge = offer(alice, InvitationKind.CHALLENGE, guest=charlie).pk
    link = offer(alice, InvitationKind.LINK).pk
    nothing = visitor.get("/invitations/999").content
    for number in (challenge, link):
        assert alice_program.read(f"/invitations/{number}")["status"] == "open"
        for program in (bob_program, visitor):
            answer = program.get(f"/invitations/{number}")
            assert code(answer) == (404, "not-found")
            assert answer.content == nothing


@pytest.mark.parametrize("blocks_whom", ["owner", "reader"])
def test_a_block_hides_in_both_directions(
    bob_program: Program, visitor: Program, alice: User, bob: User, blocks_whom: str
) -> None:
    seat = offer(alice).pk
    assert numbers(bob_program, "/lobby") == [seat]
    blocks.block(*((bob, alice) if blocks_whom == "owner" else (alice, bob)))
    assert numbers(bob_program, "/lobby") == []
    nothing, hidden = bob_program.get("/invitations/999"), bob_program.get(f"/invitations/{seat}")
    assert (hidden.status_code, hidden.content) == (nothing.status_code, nothing.content)
    # Signed out, they see what anybody sees.
    assert numbers(visitor, "/lobby") == [seat]


def test_an_expired_invitation_says_so(alice_program: Program, alice: User) -> None:
    seat = offer(alice)
    with frozen_at(now() + INVITATION_LIFETIME + timedelta(seconds=1)):
        assert alice_program.read(f"/invitations/{seat.pk}")["status"] == "expired"
        assert numbers(alice_program, "/invitations") == []
        challenge_free = alice_program.read("/waiting")
    assert challenge_free["invitations"] == []


def test_an_expired_challenge_is_not_waiting(
    alice_program: Program, alice: User, bob: User
) -> None:
    offer(bob, InvitationKind.CHALLENGE, guest=alice)
    with frozen_at(now() + INVITATION_LIFETIME + timedelta(seconds=1)):
        assert numbers(alice_program, "/waiting") == numbers(alice_program, "/invitations") == []


def test_the_query_count_of_lists_is_constant(
    alice_program: Program,
    alice: User,
    bob: User,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(3):
        offer(alice)
        offer(bob)
        offer(bob, InvitationKind.CHALLENGE, guest=alice)
    alice_program.get("/presets")
    with django_assert_num_queries(4):
        assert len(numbers(alice_program, "/invitations")) == 6
    with django_assert_num_queries(3):
        assert len(numbers(alice_program, "/lobby")) == 3
