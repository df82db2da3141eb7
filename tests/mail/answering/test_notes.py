"""Private notes by e-mail: a line that begins with "note" is stored."""

from itertools import product
from textwrap import wrap

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.notifications.policy import preferences
from games.play.commands import endings
from games.play.models.match import Match, Player
from games.play.record.sealed import notebooks
from tests import tiers
from tests.mail import post
from tests.mail.conftest import Begun
from tests.notifications.email.reading import text
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def who(begun: Begun) -> People:
    return begun.who


@pytest.fixture
def played(begun: Begun) -> Match:
    return begun.match


@pytest.fixture
def turn(begun: Begun) -> EmailMultiAlternatives:
    return begun.turn


def notes_of(match: Match, user: User) -> str:
    return notebooks.read(Player.objects.get(match=match, user=user).pk).note


def test_a_note_is_stored_for_its_author_alone(
    played: Match, alice: User, bob: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "note e7 may be the spy")
    assert post.outcome(receipt) == "noted"
    assert "may be the spy" not in text(receipt)
    assert notes_of(played, alice) == "e7 may be the spy"
    assert notes_of(played, bob) == ""


def test_notes_are_appended(played: Match, alice: User, turn: EmailMultiAlternatives) -> None:
    receipt = post.answer(alice, turn, "note: one\nnote: two")
    post.answer(alice, receipt, "Notiz: three")
    assert notes_of(played, alice).splitlines() == ["one", "two", "three"]


def test_the_same_note_again_counts_once(
    played: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    email = turn
    post.answer(alice, email, "note one")
    post.answer(alice, email, "note one")
    assert notes_of(played, alice) == "one"


def test_a_note_may_accompany_a_move_even_a_refused_one(
    played: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    email = turn
    refused = post.answer(alice, email, "a5-a9\nnote too far")
    assert post.outcome(refused) == "refused" and "private notes" in text(refused)
    moved = post.answer(alice, email, "a5-a6\nnote now he knows")
    assert post.outcome(moved) == "played" and "private notes" in text(moved)
    assert notes_of(played, alice).splitlines() == ["too far", "now he knows"]


def test_a_note_may_accompany_a_query(
    played: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "note one\nrules")
    assert post.outcome(receipt) == "noted"
    assert "All rules:" in text(receipt)


def test_a_finished_match_accepts_notes(played: Match, alice: User, bob: User) -> None:
    endings.resign(played.pk, bob)
    receipt = post.answer(alice, post.email(alice), "note he opens on the left")
    assert post.outcome(receipt) == "noted"
    assert notes_of(played, alice) == "he opens on the left"


FIXED, FLOWED = "\n", " \n"
LONG = " ".join(f"word{number}" for number in range(1, 61))  # 471 characters


@pytest.mark.parametrize(
    ("width", "ending"),
    tiers.parameters(
        product((68, 72, 76, 80, 2_000), (FIXED, FLOWED)),
        fast=((68, FIXED), (76, FLOWED), (2_000, FIXED)),
    ),
)
def test_a_wrapped_note_is_stored_whole(
    played: Match, alice: User, width: int, ending: str, turn: EmailMultiAlternatives
) -> None:
    wrapped = ending.join(wrap(f"note {LONG}", width))
    receipt = post.answer(alice, turn, f"{wrapped}\n\na5-a6\n")
    assert post.outcome(receipt) == "played"
    assert notes_of(played, alice) == LONG


def test_a_short_note_ends_with_its_line(
    played: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "note his spy is on e7\na5-a6")
    assert post.outcome(receipt) == "played"
    assert notes_of(played, alice) == "his spy is on e7"


@pytest.mark.parametrize(
    ("width", "words"),
    tiers.parameters(
        product((76, 10_000), (1_020, 1_060, 4_000)), fast=((76, 1_020), (10_000, 4_000))
    ),
)
def test_a_long_note_is_refused_and_not_cut(
    played: Match, alice: User, width: int, words: int, turn: EmailMultiAlternatives
) -> None:
    wrapped = "\n".join(wrap("note " + "x " * words, width))
    receipt = post.answer(alice, turn, wrapped)
    assert post.outcome(receipt) == "refused"
    assert "Notes have at most 2000 characters" in " ".join(text(receipt).split())
    assert notes_of(played, alice) == ""


def test_a_note_beyond_the_total_limit_is_refused(
    played: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    me = Player.objects.get(match=played, user=alice)
    notebooks.store_note(me.pk, "x" * 1_990)
    receipt = post.answer(alice, turn, "note more than ten")
    assert post.outcome(receipt) == "refused"
    assert "Notes have at most 2000 characters" in " ".join(text(receipt).split())
    assert notes_of(played, alice) == "x" * 1_990


def test_a_note_is_confirmed_on_the_site_if_wanted(
    played: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    preferences.change(alice, ask_on_site=True)
    receipt = post.answer(alice, turn, "note one")
    assert post.outcome(receipt) == "confirm"
    assert notes_of(played, alice) == ""
