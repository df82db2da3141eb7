"""Expiry of invitations: the instants, the warning before it, and the sweep that closes them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from games.idempotency.replay import command_transaction
from games.lobby import events
from games.lobby.models import (
    EXPIRY_WARNING,
    INVITATION_LIFETIME,
    OPEN,
    Invitation,
    InvitationStatus,
)
from games.outbox import publishing
from games.outbox.events import Person
from lib.db_clock import now_expression

BATCH_ROWS = 100  # of the sweep


def open_from(start: datetime) -> dict[str, datetime]:
    """The column values of an invitation that is open from `start`."""
    return {
        "expires_at": start + INVITATION_LIFETIME,
        "warn_at": start + INVITATION_LIFETIME - EXPIRY_WARNING,
    }


def sweep() -> int:
    """Close expired invitations, and warn owners of those about to expire.

    Returns how many owners were notified. Idempotent, also when sweeps overlap.
    """
    return _for_each_due("expires_at", expire) + _for_each_due("warn_at", _warn)


def _for_each_due(column: str, act: Callable[[Invitation], bool]) -> int:
    """Run `act` on each open invitation whose `column` has passed, in batches.

    Returns how many times `act` returned True.
    """
    rows = Invitation.objects.filter(OPEN).order_by(column)
    notified = 0
    while due := list(rows.filter(**{f"{column}__lte": now_expression()})[:BATCH_ROWS]):
        notified += sum(act(invitation) for invitation in due)
    return notified


def expire(invitation: Invitation) -> bool:
    """Close an expired invitation and notify its owner; False if not expired or not open."""
    due = Invitation.objects.filter(OPEN, pk=invitation.pk, expires_at__lte=now_expression())
    with command_transaction():
        if not due.update(
            status=InvitationStatus.EXPIRED, closed_at=now_expression(), warn_at=None
        ):
            return False
        owner = (Person(invitation.owner_id),)
        publishing.publish(events.InvitationExpired(invitation=invitation.pk, people=owner))
    return True


def _warn(invitation: Invitation) -> bool:
    """Notify the owner that an invitation will expire; False if already done or not due."""
    due = Invitation.objects.filter(OPEN, pk=invitation.pk, warn_at__lte=now_expression())
    with command_transaction():
        if not due.update(warn_at=None):
            return False
        publishing.publish(
            events.InvitationExpiresSoon(
                invitation=invitation.pk,
                prolonged=invitation.prolonged,
                people=(Person(invitation.owner_id),),
            )
        )
    return True
