"""Creating an invitation."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from games.lobby import commands, refusals
from games.lobby.models import INVITATION_LIFETIME, Invitation, InvitationKind, InvitationStatus
from games.outbox.models import Dispatch
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import UnknownRuleset
from lib.db_clock import frozen_at, now

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]


def test_an_invitation_is_open_for_fourteen_days(
    alice: User, offer: Callable[..., Invitation]
) -> None:
    with frozen_at(now()):
        invitation = offer(alice)
        assert invitation.status == InvitationStatus.OPEN
        assert invitation.expires_at == now() + timedelta(days=14)


def test_only_the_challenged_player_is_notified(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob)
    dispatch = Dispatch.objects.get()
    assert (dispatch.event, dispatch.user, dispatch.ref) == (
        "challenged",
        bob,
        {"invitation": invitation.pk},
    )


def test_an_open_seat_and_a_link_send_no_email(
    alice: User, offer: Callable[..., Invitation]
) -> None:
    offer(alice)
    offer(alice, kind=InvitationKind.LINK)
    assert not Dispatch.objects.exists()


def test_the_same_terms_may_be_offered_twice(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    assert offer(alice, guest=bob) != offer(alice, guest=bob)
    assert Invitation.objects.count() == 2


def test_twenty_invitations_may_be_open_and_no_more(
    alice: User, offer: Callable[..., Invitation]
) -> None:
    for _ in range(commands.MAX_OPEN_INVITATIONS):
        offer(alice)
    with pytest.raises(refusals.TooMany) as refused:
        offer(alice)
    assert refusal_text(refused.value) == (
        "You have 20 open invitations, which is the limit. "
        "Withdraw one, or wait until somebody accepts."
    )
    commands.withdraw(Invitation.objects.earliest("pk").pk, alice)
    offer(alice)


def test_expired_invitations_do_not_count_as_open(
    alice: User, offer: Callable[..., Invitation]
) -> None:
    start = now()
    with frozen_at(start):
        for _ in range(commands.MAX_OPEN_INVITATIONS):
            offer(alice)
    with frozen_at(start + INVITATION_LIFETIME):
        offer(alice)


def test_offering_and_withdrawing_again_and_again_is_limited(
    alice: User, offer: Callable[..., Invitation]
) -> None:
    for _ in range(commands.MAX_INVITATIONS_A_DAY):
        commands.withdraw(offer(alice).pk, alice)
    with pytest.raises(refusals.TooMany, match="tomorrow"):
        offer(alice)
    with frozen_at(now() + timedelta(days=1, minutes=1)):
        offer(alice)


def withdrawn(invitation: Invitation) -> None:
    commands.withdraw(invitation.pk, invitation.owner)


def declined(invitation: Invitation) -> None:
    assert invitation.guest is not None
    commands.decline(invitation.pk, invitation.guest)


@pytest.mark.parametrize("close", [withdrawn, declined])
def test_a_player_is_challenged_three_times_a_day_by_one_other(
    alice: User, bob: User, charlie: User, offer: Callable[..., Invitation], close: Any
) -> None:
    for _ in range(commands.MAX_CHALLENGES_TO_ONE):
        close(offer(alice, guest=bob))
    with pytest.raises(refusals.TooMany) as refused:
        offer(alice, guest=bob)
    assert refusal_text(refused.value) == (
        "You have challenged Bob 3 times within a day without a match; withdrawn challenges "
        "count. Try again tomorrow."
    )
    assert Dispatch.objects.filter(event="challenged", user=bob).count() == 3
    offer(alice, guest=charlie)
    offer(charlie, guest=bob)
    offer(bob, guest=alice)
    with frozen_at(now() + timedelta(days=1, minutes=1)):
        offer(alice, guest=bob)


def test_challenges_that_were_accepted_do_not_count(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    for _ in range(commands.MAX_CHALLENGES_TO_ONE + 2):
        commands.accept(offer(alice, guest=bob).pk, bob)
    assert Invitation.objects.count() == commands.MAX_CHALLENGES_TO_ONE + 2


def test_many_players_together_do_not_flood_one(
    bob: User, charlie: User, django_user_model: Any, offer: Callable[..., Invitation]
) -> None:
    for number in range(commands.MAX_CHALLENGES_TO_ANYBODY):
        withdrawn(offer(django_user_model.objects.create_user(f"Rider{number}x"), guest=bob))
    with pytest.raises(refusals.TooMany, match="Bob has received very many"):
        offer(charlie, guest=bob)
    assert Invitation.objects.filter(guest=bob).count() == commands.MAX_CHALLENGES_TO_ANYBODY


def test_players_cannot_challenge_themselves(alice: User, offer: Callable[..., Invitation]) -> None:
    with pytest.raises(refusals.InvitationRefusal, match="against yourself"):
        offer(alice, guest=alice)


@pytest.mark.parametrize("gone", [{"is_active": False}, {"pending": True}, {"no_challenges": True}])
def test_a_user_who_takes_no_challenges_cannot_be_challenged(
    alice: User, bob: User, offer: Callable[..., Invitation], gone: Any
) -> None:
    for name, value in gone.items():
        setattr(bob, name, value)
    bob.save()
    with pytest.raises(refusals.InvitationRefusal, match="Bob does not take challenges"):
        offer(alice, guest=bob)
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("rules", [{"preset": "chess"}, {"switches": {"lakes": "dry"}}])
def test_unknown_rules_are_refused(
    alice: User, offer: Callable[..., Invitation], rules: dict[str, Any]
) -> None:
    with pytest.raises(UnknownRuleset):
        offer(alice, **rules)


def test_a_username_in_a_refusal_is_not_translated(
    alice: User, django_user_model: Any, offer: Callable[..., Invitation]
) -> None:
    major = django_user_model.objects.create_user("Major", is_active=False)
    with pytest.raises(refusals.InvitationRefusal) as refused:
        offer(alice, guest=major)
    assert not any(isinstance(fact, str) for fact in refused.value.values.values())
    assert refusal_text(refused.value).startswith("Major does not take challenges")


@pytest.mark.parametrize("broken", [{"guest": None}, {"guest": "owner"}])
def test_a_constraint_forbids_a_challenge_to_oneself(
    alice: User, bob: User, offer: Callable[..., Invitation], broken: Any
) -> None:
    offer(alice, guest=bob)
    guest = alice if broken["guest"] else None
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.update(guest=guest)
