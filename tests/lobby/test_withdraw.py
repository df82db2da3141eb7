"""Withdrawing and prolonging an invitation."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from accounts.people.erasure import erase
from games.lobby import commands, refusals
from games.lobby.models import INVITATION_LIFETIME, Invitation, InvitationStatus
from lib.db_clock import frozen_at, now

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]


def test_a_withdrawn_invitation_cannot_be_accepted(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    commands.withdraw(invitation.pk, alice)
    with pytest.raises(refusals.NoLongerOpen):
        commands.accept(invitation.pk, bob)


def test_withdrawing_is_idempotent(alice: User, offer: Callable[..., Invitation]) -> None:
    invitation = offer(alice)
    commands.withdraw(invitation.pk, alice)
    commands.withdraw(invitation.pk, alice)
    invitation.refresh_from_db()
    assert invitation.status == InvitationStatus.WITHDRAWN


def test_an_accepted_invitation_cannot_be_withdrawn(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    commands.accept(invitation.pk, bob)
    with pytest.raises(refusals.InvitationRefusal, match="Bob has already accepted"):
        commands.withdraw(invitation.pk, alice)


def test_only_the_owner_withdraws_and_prolongs(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    for command in (commands.withdraw, commands.prolong):
        with pytest.raises(refusals.InvitationRefusal, match="This invitation belongs to Alice"):
            command(invitation.pk, bob)


def test_users_who_may_not_see_an_invitation_get_does_not_exist(
    alice: User, bob: User, charlie: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob)
    for command in (commands.withdraw, commands.prolong):
        with pytest.raises(Invitation.DoesNotExist):
            command(invitation.pk, charlie)


def test_a_prolonged_invitation_has_fourteen_days_from_now(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    start = now()
    with frozen_at(start):
        invitation = offer(alice)
    with frozen_at(start + timedelta(days=12)):
        until = commands.prolong(invitation.pk, alice)
    assert until == start + timedelta(days=26)
    with frozen_at(start + timedelta(days=20)):
        commands.accept(invitation.pk, bob)


def test_an_expired_invitation_cannot_be_prolonged(
    alice: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    with frozen_at(now() + INVITATION_LIFETIME), pytest.raises(refusals.NoLongerOpen):
        commands.prolong(invitation.pk, alice)


def test_erasing_a_user_closes_their_invitations(
    alice: User, bob: User, charlie: User, offer: Callable[..., Invitation]
) -> None:
    own = offer(alice, note="I live at the corner.")
    challenge = offer(bob, guest=alice)
    other = offer(bob, guest=charlie)
    erase(alice)
    for invitation in (own, challenge, other):
        invitation.refresh_from_db()
    assert own.status == InvitationStatus.WITHDRAWN
    assert own.note == ""
    assert challenge.status == InvitationStatus.DECLINED
    assert other.status == InvitationStatus.OPEN
