"""Declining a challenge."""

import pytest

from games.lobby import commands, refusals
from games.lobby.models import Invitation, InvitationStatus
from games.outbox.models import Dispatch

pytestmark = pytest.mark.django_db


def test_the_owner_is_told_once(alice, bob, offer):
    invitation = offer(alice, guest=bob)
    commands.decline(invitation.pk, bob)
    commands.decline(invitation.pk, bob)
    invitation.refresh_from_db()
    assert invitation.status == InvitationStatus.DECLINED
    told = Dispatch.objects.get(event="invitation-declined")
    assert (told.user, told.ref) == (alice, {"invitation": invitation.pk})


def test_a_declined_challenge_cannot_be_accepted_any_more(alice, bob, offer):
    invitation = offer(alice, guest=bob)
    commands.decline(invitation.pk, bob)
    with pytest.raises(refusals.NoLongerOpen):
        commands.accept(invitation.pk, bob)


def test_an_accepted_challenge_cannot_be_declined_any_more(alice, bob, offer):
    invitation = offer(alice, guest=bob)
    commands.accept(invitation.pk, bob)
    with pytest.raises(refusals.InvitationRefusal, match="the match has begun"):
        commands.decline(invitation.pk, bob)


def test_only_the_one_who_is_challenged_declines(alice, bob, charlie, offer):
    invitation = offer(alice, guest=bob)
    with pytest.raises(refusals.InvitationRefusal, match="Only the challenged player"):
        commands.decline(invitation.pk, alice)
    with pytest.raises(Invitation.DoesNotExist):
        commands.decline(invitation.pk, charlie)


def test_an_open_seat_is_nobodys_to_decline(alice, bob, offer):
    with pytest.raises(refusals.InvitationRefusal):
        commands.decline(offer(alice).pk, bob)
