"""Accepting an invitation opens one match with two players, also after several clicks."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.lobby import commands, refusals
from games.lobby.models import Invitation, InvitationKind, InvitationStatus
from games.outbox.models import Dispatch
from games.people.models import Reliability
from games.play.models.match import Match, by_seat
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]


def test_accepting_an_open_seat_opens_a_match_with_the_offered_seats(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, seat=Seat.NORTH, pace="5d", setup_pace="7d")
    match = commands.accept(invitation.pk, bob)
    players = by_seat(match)
    assert players[Seat.NORTH].user == alice
    assert players[Seat.SOUTH].user == bob
    assert (match.preset, match.pace, match.setup_pace) == ("lattaque-en", "5d", "7d")
    invitation.refresh_from_db()
    assert invitation.status == InvitationStatus.ACCEPTED
    assert invitation.guest == bob
    assert invitation.match == match
    assert invitation.closed_at is not None


def test_both_players_are_notified_that_the_match_began(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    match = commands.accept(offer(alice).pk, bob)
    dispatches = Dispatch.objects.filter(event="match-began", ref={"match": match.pk})
    assert {dispatch.user_id for dispatch in dispatches} == {alice.pk, bob.pk}


def test_a_random_seat_gives_the_owner_each_side_sometimes(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    seats = set()
    for user in (alice, bob):
        Reliability.objects.create(user=user, finished=90)
    for _ in range(40):
        match = commands.accept(offer(alice).pk, bob)
        seats.add(next(seat for seat, player in by_seat(match).items() if player.user == alice))
        if len(seats) == 2:
            break
    assert seats == {Seat.SOUTH, Seat.NORTH}


def test_the_match_has_the_options_of_the_invitation(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    match = commands.accept(offer(alice, switches={"spy_both": True}).pk, bob)
    assert match.switches == {"spy_both": True}


def test_accepting_twice_opens_one_match(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    first = commands.accept(invitation.pk, bob)
    assert commands.accept(invitation.pk, bob) == first
    assert Match.objects.count() == 1


def test_the_second_player_is_refused_as_no_longer_open(
    alice: User, bob: User, charlie: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    commands.accept(invitation.pk, bob)
    with pytest.raises(refusals.NoLongerOpen):
        commands.accept(invitation.pk, charlie)
    assert Match.objects.count() == 1


def test_owners_cannot_accept_their_own_invitation(
    alice: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    with pytest.raises(refusals.InvitationRefusal, match="your own"):
        commands.accept(invitation.pk, alice)
    invitation.refresh_from_db()
    assert invitation.status == InvitationStatus.OPEN


def test_only_the_challenged_player_accepts_a_challenge(
    alice: User, bob: User, charlie: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob)
    with pytest.raises(Invitation.DoesNotExist):
        commands.accept(invitation.pk, charlie)
    commands.accept(invitation.pk, bob)
    assert Match.objects.count() == 1


def test_a_private_invitation_needs_the_link(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, kind=InvitationKind.LINK)
    with pytest.raises(Invitation.DoesNotExist):
        commands.accept(invitation.pk, bob)
    commands.accept(invitation.pk, bob, by_link=True)
    assert Match.objects.count() == 1


def test_an_open_seat_of_a_deactivated_owner_cannot_be_accepted(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    alice.is_active = False
    alice.save()
    with pytest.raises(refusals.NoLongerOpen):
        commands.accept(invitation.pk, bob)
    assert not Match.objects.exists()


def test_an_invitation_stays_open_if_its_match_cannot_be_opened(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    Invitation.objects.update(preset="no-such-game")
    with pytest.raises(ValueError, match="no-such-game"):
        commands.accept(invitation.pk, bob)
    invitation.refresh_from_db()
    assert (invitation.status, invitation.guest_id) == (InvitationStatus.OPEN, None)


def test_accepting_again_finds_the_match_whatever_became_of_the_owner(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    match = commands.accept(invitation.pk, bob)
    alice.closes_at = now()
    alice.save()
    assert commands.accept(invitation.pk, bob) == match
    alice.is_active = False
    alice.save()
    assert commands.accept(invitation.pk, bob) == match
