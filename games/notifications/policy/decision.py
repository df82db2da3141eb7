"""Decision about the e-mail of a due row: send it, wait, drop it, or send a digest.

It is made once each time the row is due, before the e-mail is written.
"""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.notifications.policy import deliverability, preferences, schedule
from games.notifications.policy.kinds import UNSCHEDULED, WAITING, Channel, NotificationKind
from games.notifications.policy.notification import Notification
from games.notifications.policy.preferences import Frequency
from games.notifications.policy.prefetch import Prefetch
from games.notifications.policy.relevance import View
from games.outbox.models import Dispatch, Reason
from games.play.models.match import Player
from games.play.record.match_view import MatchView
from games.talk import emailing
from lib.db_clock import now


@dataclass(frozen=True)
class Send:
    """Send it now. `calm`: the only e-mail about turns until the reader's next visit."""

    view: View
    calm: bool


@dataclass(frozen=True)
class Wait:
    """Decide again at `until`."""

    until: datetime


@dataclass(frozen=True)
class Drop:
    """Never send it."""

    why: Reason


@dataclass(frozen=True)
class Digest:
    """Send one e-mail for all waiting rows of the reader."""


Decision = Send | Wait | Drop | Digest


def decide(
    notification: Notification, dispatch: Dispatch, reader: User, prefetch: Prefetch
) -> Decision:
    """Decide what to do with the e-mail of a due row, whose reader is `reader`."""
    kind = notification.kind
    # House opponents and bots have no address.
    if not reader.email or not preferences.wants_email(reader, kind):
        return Drop(Reason.UNWANTED if reader.email else Reason.NO_READER)
    if Channel.EMAIL in reader.unreached.split():
        # A dropped row could not be sent if the refusal turns out to be our fault.
        until = deliverability.undecided_until(reader)
        return Wait(until) if until else Drop(Reason.UNREACHABLE)
    if due := _due_later(dispatch, reader, kind):
        return Wait(due)
    calm = preferences.read(reader).frequency == Frequency.CALM and kind in WAITING
    # While another worker is sending an e-mail, it may still fail.
    if calm and reader.hushed and reader.in_hand_until is None:
        return Drop(Reason.NOTIFIED)
    if preferences.read(reader).is_digest and kind not in UNSCHEDULED:
        return Digest()
    view = notification.current_view(dispatch, prefetch)
    if view is None:
        return Drop(Reason.OUTDATED)
    if kind == NotificationKind.TALK and isinstance(view, MatchView):
        return _decide_talk(view, dispatch, reader)
    return Send(view, calm)


def _decide_talk(view: MatchView, dispatch: Dispatch, reader: User) -> Decision:
    assert view.me is not None  # noqa: S101 - only players are notified
    if emailing.was_emailed(view.me, dispatch.ref["line"]):
        return Drop(Reason.WITH_TURN)
    by_mail = preferences.read(reader).by_mail
    until = emailing.earliest(view.me, by_mail=by_mail, at=view.now)
    return Wait(until) if until else Send(view, calm=False)


def _due_later(dispatch: Dispatch, reader: User, kind: NotificationKind) -> datetime | None:
    """The instant at which the reader wants this e-mail, or None if now."""
    preferred = preferences.read(reader)
    if preferred.frequency == Frequency.NOW and preferred.quiet_from is None:
        return None
    at = dispatch.claimed_at or now()
    due = schedule.email_due(preferred, reader.zoneinfo, kind, dispatch.created_at, at)
    if due > at and kind == NotificationKind.REMINDER:
        due = schedule.email_due(
            preferred, reader.zoneinfo, kind, dispatch.created_at, at, deadline=_deadline(dispatch)
        )
    return due if due > at else None


def _deadline(dispatch: Dispatch) -> datetime | None:
    player = Player.objects.filter(match=dispatch.ref["match"], user=dispatch.user_id)
    return player.values_list("deadline", flat=True).first()
