"""Making an invitation."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from games.lobby import commands, refusals
from games.lobby.models import LIFE, Invitation, Kind, Status
from games.play.wording import say
from games.relay.models import Dispatch
from games.relay.moment import now, standing_at
from games.rules.core.errors import UnknownRuleset

pytestmark = pytest.mark.django_db


def test_an_invitation_is_open_for_fourteen_days(alice, offer):
    with standing_at(now()):
        invitation = offer(alice)
        assert invitation.status == Status.OPEN
        assert invitation.expires_at == now() + timedelta(days=14)


def test_the_challenged_player_is_told_and_nobody_else(alice, bob, offer):
    invitation = offer(alice, guest=bob)
    told = Dispatch.objects.get()
    assert (told.event, told.user, told.ref) == ("challenged", bob, {"invitation": invitation.pk})


def test_an_open_seat_and_a_link_send_no_letter(alice, offer):
    offer(alice)
    offer(alice, kind=Kind.LINK)
    assert not Dispatch.objects.exists()


def test_a_double_click_offers_once(alice, bob, offer):
    assert offer(alice, guest=bob) == offer(alice, guest=bob)
    assert Invitation.objects.count() == 1


def test_the_same_may_be_offered_again_after_a_while(alice, offer):
    start = now()
    for seconds in (0, 11):
        with standing_at(start + timedelta(seconds=seconds)):
            offer(alice)
    assert Invitation.objects.count() == 2


def test_something_else_is_no_double_click(alice, offer):
    offer(alice)
    offer(alice, pace="5d")
    offer(alice, switches={"spy_both": True})
    assert Invitation.objects.count() == 3


def test_twenty_invitations_may_be_open_and_no_more(alice, offer):
    for number in range(commands.LIMIT):
        offer(alice, note=str(number))
    with pytest.raises(refusals.TooMany) as refused:
        offer(alice, note="one more")
    assert say(refused.value) == (
        "You have 20 invitations open, which is as many as there may be. "
        "Withdraw one, or wait until somebody accepts."
    )
    commands.withdraw(Invitation.objects.earliest("pk").pk, alice)
    offer(alice, note="one more")


def test_expired_invitations_do_not_count_as_open(alice, offer):
    start = now()
    with standing_at(start):
        for number in range(commands.LIMIT):
            offer(alice, note=str(number))
    with standing_at(start + LIFE):
        offer(alice)


def test_nobody_floods_a_mailbox_by_challenging_and_withdrawing(alice, bob, offer):
    for number in range(commands.LIMIT_A_DAY):
        commands.withdraw(offer(alice, guest=bob, note=str(number)).pk, alice)
    with pytest.raises(refusals.TooMany, match="tomorrow"):
        offer(alice, guest=bob)
    with standing_at(now() + timedelta(days=1, minutes=1)):
        offer(alice, guest=bob)


def test_nobody_challenges_themselves(alice, offer):
    with pytest.raises(refusals.InvitationRefusal, match="against yourself"):
        offer(alice, guest=alice)


@pytest.mark.parametrize("gone", [{"is_active": False}, {"pending": True}])
def test_who_is_not_here_cannot_be_challenged(alice, bob, offer, gone):
    for name, value in gone.items():
        setattr(bob, name, value)
    bob.save()
    with pytest.raises(refusals.InvitationRefusal, match="Bob does not play here"):
        offer(alice, guest=bob)
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("rules", [{"preset": "chess"}, {"switches": {"lakes": "dry"}}])
def test_rules_that_nobody_knows_are_refused(alice, offer, rules):
    with pytest.raises(UnknownRuleset):
        offer(alice, **rules)


def test_a_handle_in_a_refusal_is_not_translated(alice, django_user_model, offer):
    major = django_user_model.objects.create_user("Major", is_active=False)
    with pytest.raises(refusals.InvitationRefusal) as refused:
        offer(alice, guest=major)
    assert not any(isinstance(fact, str) for fact in refused.value.facts.values())
    assert say(refused.value).startswith("Major does not play here")


@pytest.mark.parametrize("broken", [{"guest": None}, {"guest": "owner"}])
def test_the_database_keeps_a_challenge_to_somebody_else(alice, bob, offer, broken):
    offer(alice, guest=bob)
    guest = alice if broken["guest"] else None
    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.update(guest=guest)
