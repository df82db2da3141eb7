"""Stale invitations: warned of, then closed, whether or not anybody visits."""

from datetime import timedelta

import pytest

from games.lobby import commands, refusals, tasks
from games.lobby.models import LIFE, Invitation, Status
from games.relay.models import Dispatch
from games.relay.moment import now, standing_at

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def events():
    return list(Dispatch.objects.order_by("pk").values_list("event", flat=True))


def test_the_owner_is_warned_three_days_before_the_end(alice, offer):
    start = now()
    with standing_at(start):
        invitation = offer(alice)
    with standing_at(start + 11 * DAY - timedelta(seconds=1)):
        assert commands.sweep() == 0
    with standing_at(start + 11 * DAY):
        assert commands.sweep() == 1
    warning = Dispatch.objects.get()
    assert warning.event == "invitation-stale"
    assert warning.user == alice
    assert warning.ref["invitation"] == invitation.pk
    invitation.refresh_from_db()
    assert invitation.status == Status.OPEN


def test_after_fourteen_days_it_expires_and_the_owner_is_told(alice, bob, offer):
    start = now()
    with standing_at(start):
        invitation = offer(alice, guest=bob)
        Dispatch.objects.all().delete()
    for day in range(20):
        with standing_at(start + day * DAY):
            tasks.sweep()
    invitation.refresh_from_db()
    assert invitation.status == Status.EXPIRED
    assert invitation.settled_at == start + 14 * DAY
    assert events() == ["invitation-stale", "invitation-expired"]


def test_sweeping_twice_tells_once(alice, offer):
    offer(alice)
    for days in (11, 14):
        with standing_at(now() + timedelta(days=days)):
            assert commands.sweep() == 1
            assert commands.sweep() == 0
    assert Dispatch.objects.count() == 2


def test_two_sweeps_that_found_the_same_row_tell_once(alice, offer):
    invitation = offer(alice)
    with standing_at(now() + LIFE):
        assert commands._expire(invitation) is True
        assert commands._expire(invitation) is False
    assert events() == ["invitation-expired"]


def test_an_invitation_whose_time_is_over_is_closed_even_before_the_sweep(alice, bob, offer):
    invitation = offer(alice)
    with standing_at(now() + LIFE):
        assert not Invitation.objects.seats_for(bob).exists()
        with pytest.raises(refusals.NoLongerOpen):
            commands.accept(invitation.pk, bob)


def test_each_time_it_is_prolonged_it_has_a_warning_of_its_own(alice, offer):
    start = now()
    with standing_at(start):
        invitation = offer(alice)
    with standing_at(start + 12 * DAY):
        commands.sweep()
        commands.prolong(invitation.pk, alice)
    with standing_at(start + 15 * DAY):
        assert commands.sweep() == 0
    with standing_at(start + 23 * DAY):
        commands.sweep()
    with standing_at(start + 26 * DAY):
        commands.sweep()
    assert events() == ["invitation-stale", "invitation-stale", "invitation-expired"]


def test_what_is_settled_is_left_alone(alice, bob, offer):
    commands.accept(offer(alice).pk, bob)
    commands.withdraw(offer(alice).pk, alice)
    Dispatch.objects.all().delete()
    with standing_at(now() + 2 * LIFE):
        assert commands.sweep() == 0
    assert not Dispatch.objects.exists()


def test_a_sweep_takes_as_many_as_there_are(alice, offer, monkeypatch):
    monkeypatch.setattr(commands, "BATCH", 3)
    for number in range(8):
        offer(alice, note=str(number))
    with standing_at(now() + LIFE):
        assert commands.sweep() == 8
    assert not Invitation.objects.filter(status=Status.OPEN).exists()
