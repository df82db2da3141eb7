"""Standing seats: offered again in the transaction in which they were accepted."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby import commands
from games.lobby.invitations.admission import PlayingOutOfIt
from games.lobby.invitations.conditions import Conditions
from games.lobby.models import INVITATION_LIFETIME, OPEN, Invitation, InvitationStatus
from games.play.models.match import Match, Player, Status
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import frozen_at, now
from tests.concurrent import at_once
from tests.play.forms import client_of

pytestmark = pytest.mark.django_db

Offer = Callable[..., Invitation]


def test_an_accepted_seat_is_offered_again_on_the_same_terms(
    alice: User, bob: User, offer: Offer
) -> None:
    conditions = Conditions(rating_from=1400, reliable=True)
    first = offer(alice, repeats=2, note="Come in.", rated=True, pace="5d", conditions=conditions)
    later = now() + timedelta(days=3)
    with frozen_at(later):
        commands.accept(first.pk, bob)
    again = Invitation.objects.get(OPEN)
    assert (again.owner, again.kind, again.note) == (alice, first.kind, "Come in.")
    assert (again.terms, Conditions.of_invitation(again)) == (first.terms, conditions)
    assert (again.repeats, again.repeat_of) == (1, first)
    assert again.expires_at == later + INVITATION_LIFETIME
    assert again.warn_at is not None


def test_it_is_offered_as_often_as_requested(alice: User, offer: Offer) -> None:
    offer(alice, repeats=2)
    for number in range(3):
        guest = User.objects.create_user(f"Rider{number}")
        commands.accept(Invitation.objects.get(OPEN).pk, guest)
    assert not Invitation.objects.filter(OPEN).exists()
    assert Match.objects.count() == 3
    first, *others = Invitation.objects.order_by("pk")
    assert [each.repeat_of for each in others] == [first, first]


@pytest.mark.parametrize("as_set", [False, True])
def test_the_same_player_cannot_accept_it_twice_at_a_time(
    alice: User, bob: User, charlie: User, offer: Offer, client: Client, as_set: bool
) -> None:
    offer(alice, repeats=3, as_set=as_set)
    match = commands.accept(Invitation.objects.get(OPEN).pk, bob)
    again = Invitation.objects.get(OPEN)
    with pytest.raises(PlayingOutOfIt, match="already play a match out of this"):
        commands.accept(again.pk, bob)
    client.force_login(bob)
    assert again.get_absolute_url() not in client.get(reverse("lobby:index")).content.decode()
    assert "already play a match" in client.get(again.get_absolute_url()).content.decode()
    assert commands.find_opponent(bob, again.preset, again.pace).owner == bob
    # Somebody else takes it, and it is still the same standing seat.
    commands.accept(again.pk, charlie)
    third = Invitation.objects.get(OPEN, owner=alice)
    with pytest.raises(PlayingOutOfIt):
        commands.accept(third.pk, bob)
    # Of a set both matches have to be over.
    for over in (match, match.twin) if match.twin else (match,):
        with pytest.raises(PlayingOutOfIt):
            commands.accept(third.pk, bob)
        Match.objects.filter(pk=over.pk).update(status=Status.FINISHED, result="S")
        Player.objects.filter(match=over).update(live=False)
    assert commands.accept(third.pk, bob).pk > match.pk


def test_another_seat_of_the_same_player_is_open_to_all(
    alice: User, bob: User, offer: Offer
) -> None:
    offer(alice, repeats=1)
    other = offer(alice, repeats=1)
    commands.accept(Invitation.objects.order_by("pk")[0].pk, bob)
    commands.accept(other.pk, bob)


def test_it_is_not_offered_again_over_the_cap(
    alice: User, bob: User, charlie: User, offer: Offer
) -> None:
    for _ in range(9):
        match = Match.objects.create(
            preset="lattaque-en", pace="3d", setup_pace="3d", created_at=now()
        )
        for seat, user in enumerate((alice, charlie)):
            Player.objects.create(match=match, user=user, seat=seat)
    last = offer(alice, repeats=5)
    commands.accept(last.pk, bob)
    assert not Invitation.objects.filter(OPEN).exists()
    # The owner reads so in the lobby for two weeks, and nobody else does.
    assert list(Invitation.objects.ended_at_the_limit(alice)) == [last]
    assert "was not offered again" in client_of(alice).get("/lobby/").content.decode()
    for client in (client_of(bob), Client()):
        assert "was not offered again" not in client.get("/lobby/").content.decode()
    with frozen_at(now() + INVITATION_LIFETIME):
        assert not Invitation.objects.ended_at_the_limit(alice).exists()


def test_a_seat_that_goes_on_or_was_withdrawn_has_not_ended_at_the_limit(
    alice: User, bob: User, offer: Offer
) -> None:
    commands.accept(offer(alice, repeats=5).pk, bob)
    assert not Invitation.objects.ended_at_the_limit(alice).exists()
    commands.withdraw(Invitation.objects.get(OPEN).pk, alice)
    commands.accept(offer(alice).pk, bob)
    assert not Invitation.objects.ended_at_the_limit(alice).exists()


def test_a_withdrawn_seat_ends_the_series(alice: User, bob: User, offer: Offer) -> None:
    commands.accept(offer(alice, repeats=5).pk, bob)
    commands.withdraw(Invitation.objects.get(OPEN).pk, alice)
    assert not Invitation.objects.filter(OPEN).exists()


@pytest.mark.postgresql
def test_one_of_several_simultaneous_players_succeeds_and_it_is_offered_again_once(
    apart: None, offer: Offer
) -> None:
    owner, *others = [User.objects.create_user(f"Rider{number}") for number in range(6)]
    seat = offer(owner, repeats=3)
    outcomes = at_once(*[lambda u=user: commands.accept(seat.pk, u) for user in others])
    assert sum(isinstance(outcome, Match) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, Refusal) for outcome in outcomes) == 4
    again = Invitation.objects.get(OPEN)
    assert (again.repeats, again.repeat_of) == (2, seat)
    assert Invitation.objects.filter(status=InvitationStatus.ACCEPTED).count() == 1


@pytest.mark.postgresql
def test_one_player_with_many_clicks_accepts_it_once(apart: None, offer: Offer) -> None:
    owner, guest = [User.objects.create_user(f"Rider{number}") for number in range(2)]
    seat = offer(owner, repeats=3)
    outcomes = at_once(*[lambda: commands.accept(seat.pk, guest)] * 5)
    assert set(outcomes) == {Match.objects.get()}
    assert Invitation.objects.get(OPEN).repeats == 2
