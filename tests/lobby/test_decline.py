"""Declining a challenge."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.lobby import commands, refusals
from games.lobby.models import Invitation, InvitationStatus
from games.outbox.models import Dispatch

pytestmark = pytest.mark.django_db


def test_the_owner_is_notified_once(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob)
    commands.decline(invitation.pk, bob)
    commands.decline(invitation.pk, bob)
    invitation.refresh_from_db()
    assert invitation.status == InvitationStatus.DECLINED
    dispatch = Dispatch.objects.get(event="invitation-declined")
    assert (dispatch.user, dispatch.ref) == (alice, {"invitation": invitation.pk})


def test_a_declined_challenge_cannot_be_accepted(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob)
    commands.decline(invitation.pk, bob)
    with pytest.raises(refusals.NoLongerOpen):
        commands.accept(invitation.pk, bob)


def test_an_accepted_challenge_cannot_be_declined(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob)
    commands.accept(invitation.pk, bob)
    with pytest.raises(refusals.InvitationRefusal, match="the match has begun"):
        commands.decline(invitation.pk, bob)


def test_only_the_challenged_player_declines(
    alice: User, bob: User, charlie: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob)
    with pytest.raises(refusals.InvitationRefusal, match="Only the challenged player"):
        commands.decline(invitation.pk, alice)
    with pytest.raises(Invitation.DoesNotExist):
        commands.decline(invitation.pk, charlie)


def test_an_open_seat_cannot_be_declined(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    with pytest.raises(refusals.InvitationRefusal):
        commands.decline(offer(alice).pk, bob)
