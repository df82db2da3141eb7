"""Decision about an e-mail whose row is due: send it, wait, drop it, or put it into a digest.

It is made once for each row, before anything is written.
"""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.notifications.policy import deliverability, preferences, schedule
from games.notifications.policy.kinds import WAITING, Channel, NotificationKind
from games.notifications.policy.notification import Notification, View
from games.notifications.policy.preferences import Frequency
from games.notifications.policy.prefetch import Prefetch
from games.outbox.models import Dispatch
from games.play.models.match import Player
from lib.db_clock import now


@dataclass(frozen=True)
class Send:
    """Send it now. `calm`: it stands for all that waits until the reader comes back."""

    view: View
    calm: bool


@dataclass(frozen=True)
class Wait:
    """Decide again at `until`."""

    until: datetime


@dataclass(frozen=True)
class Drop:
    """Send nothing, ever."""

    why: str


@dataclass(frozen=True)
class Digest:
    """Send it among everything else that waits for the reader."""


Decision = Send | Wait | Drop | Digest


def decide(
    notification: Notification, dispatch: Dispatch, reader: User, prefetch: Prefetch
) -> Decision:
    """What is to become of the e-mail of a row that is due."""
    kind = notification.kind
    if not reader.email or not preferences.wants_email(reader, kind):
        return Drop("not wanted")
    if Channel.EMAIL in reader.unreached.split():
        # What is dropped could not be brought back if the refusal is taken back.
        until = deliverability.undecided_until(reader)
        return Wait(until) if until else Drop("e-mails do not arrive")
    if due := _due_later(dispatch, reader, kind):
        return Wait(due)
    calm = preferences.of(reader).frequency == Frequency.CALM and kind in WAITING
    # While an e-mail is in hand, it is not known to have left.
    if calm and reader.hushed and reader.in_hand_until is None:
        return Drop("notified since the last visit")
    if preferences.of(reader).is_digest and kind != NotificationKind.REMINDER:
        return Digest()
    view = notification.look(dispatch, prefetch)
    return Drop("no longer true") if view is None else Send(view, calm)


def _due_later(dispatch: Dispatch, reader: User, kind: NotificationKind) -> datetime | None:
    """When the reader wants this e-mail; None for now."""
    wanted = preferences.of(reader)
    if wanted.frequency == Frequency.NOW and wanted.quiet_from is None:
        return None
    at = dispatch.claimed_at or now()
    due = schedule.email_due(wanted, reader.zoneinfo, kind, dispatch.created_at, at)
    if due > at and kind == NotificationKind.REMINDER:
        due = schedule.email_due(
            wanted, reader.zoneinfo, kind, dispatch.created_at, at, deadline=_deadline(dispatch)
        )
    return due if due > at else None


def _deadline(dispatch: Dispatch) -> datetime | None:
    mine = Player.objects.filter(match=dispatch.ref["match"], user=dispatch.user_id)
    return mine.values_list("deadline", flat=True).first()
