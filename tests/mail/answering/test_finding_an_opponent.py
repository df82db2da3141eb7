"""Finding an opponent by mail: players of similar strength, rated and friendly offers, the list."""

from collections.abc import Callable

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.invitations.conditions import Conditions
from games.lobby.models import OPEN, Invitation, InvitationKind
from games.play.models.match import Match
from games.play.terms import Terms
from lib.db_clock import now
from tests.lobby.invitations.people import miss, rate
from tests.mail import post
from tests.notifications.email.reading import text

Write = Callable[[str], EmailMultiAlternatives]


@pytest.fixture
def write(alice: User) -> Write:
    """Alice writes to the lobby; returns the receipt."""
    greeting = post.answer(alice, "post@localhost", "hello")
    return lambda words: post.answer(alice, greeting, words)


def seat() -> Invitation:
    invitation: Invitation = Invitation.objects.get(OPEN)
    return invitation


def test_play_accepts_the_nearest_seat(write: Write, alice: User, bob: User, charlie: User) -> None:
    rate(alice, 1500)
    for owner, rating in ((bob, 1580), (charlie, 1450)):
        rate(owner, rating)
        lobby.offer(owner, Terms("lattaque-en", pace="5d"), kind=InvitationKind.SEAT)
    receipt = write("play lattaque 5d")
    match = Match.objects.get()
    assert post.outcome(receipt) == "accepted"
    assert f"Accepted: match {match.pk} begins." in text(receipt)
    assert set(match.players.values_list("user", flat=True)) == {alice.pk, charlie.pk}
    assert post.outcome(post.answer(alice, receipt, "random")) == "asked"


def test_play_offers_a_seat_if_there_is_none(write: Write, alice: User) -> None:
    rate(alice, 1500)
    receipt = write("play lattaque")
    assert post.outcome(receipt) == "offered"
    assert "Nobody of your strength is waiting." in text(receipt)
    assert "3 days per move, rated" in " ".join(text(receipt).split())
    assert (seat().pace, seat().rated, seat().rating_to) == ("3d", True, 1700)


@pytest.mark.parametrize("line", ["play lattaque soon", "play lattaque none"])
def test_play_says_what_is_wrong(write: Write, line: str) -> None:
    receipt = write(line)
    assert post.outcome(receipt) == "refused"
    assert "time" in text(receipt)
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("words", ["", " rated", " gewertet", " CLASSÉE", " 計分"])
def test_a_seat_is_rated_unless_it_says_otherwise(write: Write, words: str) -> None:
    assert "rated; it is number" in " ".join(text(write(f"seat domino 2d{words}")).split())
    assert (seat().rated, seat().pace) == (True, "2d")


@pytest.mark.parametrize("words", ["friendly", "freundschaftlich", "amicale", "友誼"])
def test_a_seat_is_friendly_on_request(write: Write, words: str) -> None:
    assert "friendly; it is number" in " ".join(text(write(f"seat domino {words} 2d")).split())
    assert (seat().rated, seat().pace) == (False, "2d")


def test_a_seat_that_cannot_be_rated_is_friendly_unless_rated_is_requested(write: Write) -> None:
    write("seat domino none")
    assert not seat().rated
    refused = write("seat domino none rated")
    assert post.outcome(refused) == "refused"
    assert "needs a time limit" in text(refused)


def test_a_barred_player_offers_friendly_matches(write: Write, alice: User, bob: User) -> None:
    for _ in range(3):
        miss(alice, bob, now())
    write("seat domino")
    assert not seat().rated
    assert "Finish one match" in " ".join(text(write("seat domino rated")).split())


@pytest.mark.parametrize(("words", "rated"), [("", True), (" friendly", False)])
def test_a_challenge_accepts_the_same_words(
    write: Write, bob: User, words: str, rated: bool
) -> None:
    assert post.outcome(write(f"challenge bob assaut{words}")) == "offered"
    assert (seat().guest, seat().rated) == (bob, rated)


def test_contradictory_words_change_nothing(write: Write) -> None:
    receipt = write("seat domino rated friendly")
    assert post.outcome(receipt) == "refused"
    assert "either “rated” or “friendly”" in text(receipt)
    assert not Invitation.objects.exists()


def test_the_list_shows_ratings(write: Write, bob: User) -> None:
    rate(bob, 1612)
    for conditions in (Conditions(), Conditions(min_finished=1)):
        lobby.offer(
            bob, Terms("lattaque-en", rated=True), kind=InvitationKind.SEAT, conditions=conditions
        )
    first, other = Invitation.objects.order_by("pk")
    listed = " ".join(text(write("lobby")).split())
    assert f"Number {first.pk}: Bob, L'Attaque, 3 days per move, rated; rating 1612 ± 60." in listed
    assert f"Number {other.pk}:" not in listed
