"""Queries, invitations, digests and the lobby by e-mail."""

from pathlib import Path

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.models import Invitation, InvitationKind
from games.notifications.policy import preferences
from games.outbox.models import Dispatch
from games.play.models.match import Match, Player
from games.play.record.proofs import bundles
from games.play.record.sealed import notebooks
from games.play.terms import Terms
from tests.mail import post
from tests.mail.reading.reader import is_command
from tests.notifications.email.reading import html, proof_lines, prose, shown_text, text, travelling
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.record.proofs.verifying import HOLDS, verified

pytestmark = pytest.mark.postgresql_soak

TERMS = Terms("lattaque-en")
WORDS = ("board", "board list", "moves", "rules", "help", "matches", "next", "lobby")


@pytest.fixture
def turn(match: Match, alice: User) -> EmailMultiAlternatives:
    match_helpers.play(match, "a4-a5", "j7-j6")
    return post.email(alice)


@pytest.mark.parametrize("word", WORDS)
def test_each_query_is_answered(turn: EmailMultiAlternatives, alice: User, word: str) -> None:
    receipt = post.answer(alice, turn, word)
    assert post.outcome(receipt) == "shown"
    lines = shown_text(receipt).splitlines()
    assert not [line for line in text(receipt).splitlines() if is_command(line)]
    assert bool(proof_lines(receipt)) == (word not in ("matches", "lobby"))
    assert not [line for line in lines if len(line) > 72 and "http" not in line]
    # Rows to fill in are shown only during the set-up, and nothing is repeated.
    assert "each piece with its letter" not in text(receipt)
    headings = [line for line in lines if line.endswith(":")]
    assert len(headings) == len(set(headings))


def test_moves_are_listed_from_the_first(turn: EmailMultiAlternatives, alice: User) -> None:
    assert "Move 1 was a4-a5, j7-j6." in text(post.answer(alice, turn, "moves"))


def test_a_query_may_accompany_an_action(turn: EmailMultiAlternatives, alice: User) -> None:
    receipt = post.answer(alice, turn, "b4-b5\nmoves")
    assert post.outcome(receipt) == "played"
    assert "Move 2 was b4-b5." in text(receipt)


def test_an_accepted_invitation_is_answered_with_the_new_match(who: People) -> None:
    alice, bob, _charlie = who
    lobby.offer(alice, TERMS, kind=InvitationKind.CHALLENGE, guest=bob)
    email = post.email(bob)
    receipt = post.answer(bob, email, "accept")
    assert post.outcome(receipt) == "accepted"
    assert f"<match.{Match.objects.get().pk}@" in receipt.extra_headers["References"]
    assert post.outcome(post.answer(bob, receipt, "random")) == "asked"
    assert post.outcome(post.answer(bob, email, "accept")) == "repeated"


def test_an_invitation_is_declined(who: People) -> None:
    alice, bob, _charlie = who
    lobby.offer(alice, TERMS, kind=InvitationKind.CHALLENGE, guest=bob)
    email = post.email(bob)
    assert post.outcome(post.answer(bob, email, "rules")) == "shown"
    assert post.outcome(post.answer(bob, email, "decline")) == "declined"
    assert Invitation.objects.get().status == "declined"
    assert post.outcome(post.answer(bob, email, "accept")) == "over"


@pytest.fixture
def digest(who: People) -> tuple[list[Match], EmailMultiAlternatives]:
    """Alice's digest of two matches that wait for her."""
    matches = [match_helpers.running_match(who) for _ in range(2)]
    preferences.change(who.alice, frequency="daily")
    who.alice.refresh_from_db()
    Dispatch.objects.filter(user=who.alice).update(
        created_at="2026-01-01T00:00Z", not_before="2026-01-01T00:00Z"
    )
    return matches, post.email(who.alice)


def test_a_reply_to_a_digest_may_act_in_each_match(
    digest: tuple[list[Match], EmailMultiAlternatives], alice: User, tmp_path: Path
) -> None:
    (one, other), email = digest
    receipt = post.answer(alice, email, f"{one.pk}: a4-a5\n{other.pk}: b4-b9\n")
    assert post.outcome(receipt) == "played"
    assert "a4-a5" in text(receipt) and "b9" in text(receipt)
    assert match_helpers.as_is(one).ply == one.ply + 1
    assert match_helpers.as_is(other).ply == other.ply
    # It has proof lines for both; each statement is followed by its signature.
    lines = text(receipt).splitlines()[-4:]
    assert lines[0].startswith(f"head estafette/head/1 {one.pk} {one.ply + 1} ")
    assert lines[2].startswith(f"head estafette/head/1 {other.pk} {other.ply} ")
    assert lines[1].startswith("sign ") and lines[3].startswith("sign ")
    (tmp_path / "answer.eml").write_bytes(travelling(receipt))
    for match in (one, other):
        proofs = {"match.proof": bundles.bundle(match.pk)}
        status, output = verified(tmp_path, proofs, files=["answer.eml"])
        assert status == HOLDS and "Witnesses that agree: 1." in output


def test_a_reply_about_another_users_match_gets_no_proof_line(
    digest: tuple[list[Match], EmailMultiAlternatives], who: People
) -> None:
    (one, _other), email = digest
    theirs = match_helpers.running_match(People(who.bob, who.charlie, who.alice))
    receipt = post.answer(who.alice, email, f"{one.pk}: a4-a5\n{theirs.pk}: b4-b5\n")
    assert f"is not about match {theirs.pk}" in " ".join(text(receipt).split())
    heads = [line for line in text(receipt).splitlines() if line.startswith("head ")]
    assert [line.split()[2] for line in heads] == [str(one.pk)]


def test_a_reply_to_a_digest_may_have_a_note_for_each_match(
    digest: tuple[list[Match], EmailMultiAlternatives], alice: User
) -> None:
    (one, other), email = digest
    receipt = post.answer(alice, email, f"{one.pk}: note first\n{other.pk}: note second\n")
    assert post.outcome(receipt) == "noted"
    players = Player.objects.filter(user=alice).order_by("match")
    assert [notebooks.read(player.pk).note for player in players] == ["first", "second"]
    assert "Which match?" in text(post.answer(alice, email, "note whose?"))
    assert "is not about match 999" in text(post.answer(alice, email, "999: note nobody's"))


def test_a_command_that_needs_confirmation_must_be_alone(
    digest: tuple[list[Match], EmailMultiAlternatives], alice: User
) -> None:
    (one, other), email = digest
    receipt = post.answer(alice, email, f"{one.pk}: a4-a5\n{other.pk}: abort\n")
    assert "This needs to be confirmed" in text(receipt)
    question = post.answer(alice, email, f"{other.pk}: abort")
    assert post.outcome(question) == "asked"
    post.answer(alice, question, "yes")
    assert not match_helpers.as_is(other).is_live


def test_a_reply_to_a_digest_of_several_matches_needs_numbers(
    digest: tuple[list[Match], EmailMultiAlternatives], alice: User
) -> None:
    receipt = post.answer(alice, digest[1], "a4-a5")
    assert post.outcome(receipt) == "refused"
    assert "Which match?" in text(receipt)
    shown = post.answer(alice, receipt, f"board {digest[0][0].pk}")
    assert post.outcome(shown) == "shown"
    assert post.outcome(post.answer(alice, shown, "a4-a5")) == "played"


def test_a_message_to_the_from_address_goes_to_the_lobby(who: People) -> None:
    alice, bob, _charlie = who
    lobby.offer(bob, TERMS, kind=InvitationKind.SEAT)
    receipt = post.answer(alice, "post@localhost", "hello")
    assert post.outcome(receipt) == "shown"
    shown = post.answer(alice, receipt, "lobby")
    number = Invitation.objects.get().pk
    assert f"Number {number}: Bob, L'Attaque" in text(shown)
    assert f"To accept an invitation, reply with “join {number}”" in prose(shown)
    assert not [line for line in text(shown).splitlines() if is_command(line)]
    offered = post.answer(alice, shown, "seat domino 2d")
    assert post.outcome(offered) == "offered"
    assert Invitation.objects.get(owner=alice).pace == "2d"
    assert post.outcome(post.answer(alice, offered, "challenge bob assaut")) == "offered"
    joined = post.answer(alice, offered, f"join {number}")
    assert post.outcome(joined) == "accepted"
    assert post.outcome(post.answer(alice, joined, "random")) == "asked"


def test_a_message_of_a_stranger_is_neither_answered_nor_stored(who: People) -> None:
    assert post.answers("mallory@example.net", "post@localhost", "lobby") == []  # type: ignore[arg-type]
    assert post.last().why == "nobody here wrote it"


def test_html_and_text_say_the_same(turn: EmailMultiAlternatives, alice: User) -> None:
    receipt = post.answer(alice, turn, "b4-b5")
    assert "Played: b4-b5." in html(receipt)


def test_playing_by_email_counts_as_a_visit(turn: EmailMultiAlternatives, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(hushed=True)
    post.answer(alice, turn, "b4-b5")
    alice.refresh_from_db()
    assert not alice.hushed
