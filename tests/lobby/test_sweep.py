"""The expiry sweep warns owners, then closes invitations."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from games.lobby import commands, refusals, tasks
from games.lobby.invitations import expiry
from games.lobby.models import INVITATION_LIFETIME, Invitation, InvitationStatus
from games.outbox.models import Dispatch
from lib.db_clock import frozen_at, now

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]

DAY = timedelta(days=1)


def events() -> list[str]:
    return list(Dispatch.objects.order_by("pk").values_list("event", flat=True))


def test_the_owner_is_warned_three_days_before_expiry(
    alice: User, offer: Callable[..., Invitation]
) -> None:
    start = now()
    with frozen_at(start):
        invitation = offer(alice)
    with frozen_at(start + 11 * DAY - timedelta(seconds=1)):
        assert expiry.sweep() == 0
    with frozen_at(start + 11 * DAY):
        assert expiry.sweep() == 1
    warning = Dispatch.objects.get()
    assert warning.event == "invitation-stale"
    assert warning.user == alice
    assert warning.ref["invitation"] == invitation.pk
    invitation.refresh_from_db()
    assert invitation.status == InvitationStatus.OPEN


def test_after_fourteen_days_it_expires_and_the_owner_is_notified(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    start = now()
    with frozen_at(start):
        invitation = offer(alice, guest=bob)
        Dispatch.objects.all().delete()
    for day in range(20):
        with frozen_at(start + day * DAY):
            tasks.sweep()
    invitation.refresh_from_db()
    assert invitation.status == InvitationStatus.EXPIRED
    assert invitation.closed_at == start + 14 * DAY
    assert events() == ["invitation-stale", "invitation-expired"]


def test_sweeping_twice_notifies_once(alice: User, offer: Callable[..., Invitation]) -> None:
    offer(alice)
    for days in (11, 14):
        with frozen_at(now() + timedelta(days=days)):
            assert expiry.sweep() == 1
            assert expiry.sweep() == 0
    assert Dispatch.objects.count() == 2


@pytest.mark.parametrize(
    ("days", "column", "event"),
    [(11, "warn_at", "invitation-stale"), (14, "expires_at", "invitation-expired")],
)
def test_two_sweeps_that_find_the_same_row_notify_once(
    alice: User, offer: Callable[..., Invitation], days: Any, column: str, event: str
) -> None:
    offer(alice)
    other: list[Any] = []

    def meanwhile(execute: Any, sql: str, *args: Any) -> Any:
        """Run a second sweep after the first has read its rows and before it acts on them."""
        result = execute(sql, *args)
        if not other and sql.startswith("SELECT") and f'"{column}" <=' in sql:
            other.append("sweeping")
            other[:] = [expiry.sweep()]
        return result

    with frozen_at(now() + timedelta(days=days)), connection.execute_wrapper(meanwhile):
        notified = expiry.sweep()
    assert (notified, other) == (0, [1])
    assert events() == [event]


def test_an_expired_invitation_cannot_be_accepted_before_the_sweep(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice)
    with frozen_at(now() + INVITATION_LIFETIME):
        assert not Invitation.objects.seats_for(bob).exists()
        with pytest.raises(refusals.NoLongerOpen):
            commands.accept(invitation.pk, bob)


def test_each_prolongation_gets_a_new_warning(
    alice: User, offer: Callable[..., Invitation]
) -> None:
    start = now()
    with frozen_at(start):
        invitation = offer(alice)
    with frozen_at(start + 12 * DAY):
        expiry.sweep()
        commands.prolong(invitation.pk, alice)
    with frozen_at(start + 15 * DAY):
        assert expiry.sweep() == 0
    with frozen_at(start + 23 * DAY):
        expiry.sweep()
    with frozen_at(start + 26 * DAY):
        expiry.sweep()
    assert events() == ["invitation-stale", "invitation-stale", "invitation-expired"]


def test_the_sweep_skips_closed_invitations(
    alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    commands.accept(offer(alice).pk, bob)
    commands.withdraw(offer(alice).pk, alice)
    Dispatch.objects.all().delete()
    with frozen_at(now() + 2 * INVITATION_LIFETIME):
        assert expiry.sweep() == 0
    assert not Dispatch.objects.exists()


def test_a_sweep_processes_more_than_one_batch(
    alice: User, offer: Callable[..., Invitation], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "BATCH_ROWS", 3)
    for _ in range(8):
        offer(alice)
    with frozen_at(now() + INVITATION_LIFETIME):
        assert expiry.sweep() == 8
    assert not Invitation.objects.filter(status=InvitationStatus.OPEN).exists()
