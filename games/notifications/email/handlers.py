"""E-mail channel: writes and sends the e-mail of a notification, when its reader wants it.

It is held back as its reader prefers, and hours may lie between the event and it. So it is checked
once more that what it would say is still true and still wanted; otherwise this raises Superseded.
"""

from collections.abc import Sequence
from datetime import datetime

from accounts.models import User
from accounts.people import presence
from games.notifications.email import digests
from games.notifications.email.composing import match_emails
from games.notifications.email.replies.issuing import Issuer
from games.notifications.email.sending import delivery
from games.notifications.email.sending.delivery import alone, send
from games.notifications.email.sending.mime import Email
from games.notifications.policy import deliverability, preferences, schedule
from games.notifications.policy.kinds import WAITING, NotificationKind
from games.notifications.policy.localization import localized
from games.notifications.policy.notification import Notification, View
from games.notifications.policy.preferences import Frequency
from games.notifications.policy.prefetch import Prefetch
from games.notifications.policy.relevance import expect, reader_of
from games.outbox.handling import Batch, Later, Superseded
from games.outbox.models import Dispatch
from games.play.models.match import Player
from lib.db_clock import now


def deliver(
    notification: Notification,
    dispatch: Dispatch,
    batch: Batch,
    fanned_out: Sequence[Dispatch] | None = None,
) -> None:
    """Send the e-mail of a notification, alone or in a digest, now or later.

    `fanned_out` are the rows that a digest may close; None stands for all of its reader's.
    """
    reader = reader_of(dispatch)
    _check_wanted(reader, notification.kind)
    _wait_until_due(dispatch, reader, notification.kind)
    # A calm reader who has not come since the last e-mail knows that something waits. While an
    # e-mail is in hand, it is not known to have left.
    told = reader.hushed and reader.in_hand_until is None
    calm = _is_calm(reader, notification.kind)
    expect(not (calm and told))
    if digests.is_for(reader, notification.kind):
        digests.deliver(dispatch, reader, batch, fanned_out)
        return
    view = notification.see(dispatch, Prefetch.of(batch))
    if not calm:
        send(_write(notification, dispatch, reader, batch, view), reader, batch)
        return
    with alone(dispatch, reader):
        # Noted before the e-mail leaves, or a visit that comes meanwhile would be forgotten.
        expect(presence.mark_notified(reader))
        try:
            send(_write(notification, dispatch, reader, batch, view), reader, batch)
        except BaseException:
            presence.mark_present(reader)
            raise
        reader.refresh_from_db(fields=["hushed"])


def on_trial(dispatch: Dispatch, batch: Batch) -> None:
    """A test e-mail that its reader asked for: it goes at once, whatever bounced before."""
    reader = reader_of(dispatch)
    expect(bool(reader.email))
    delivery.connect(batch)
    with localized(reader):
        email = match_emails.trial(reader, dispatch.created_at, dispatch.message_id)
    send(email, reader, batch)


def _write(
    notification: Notification, dispatch: Dispatch, reader: User, batch: Batch, view: View
) -> Email:
    # The connection first: while the mail server is away, no e-mail is written in vain.
    delivery.connect(batch)
    with localized(reader):
        issue = Issuer.of(batch).issue
        return match_emails.write(notification, reader, view, dispatch.message_id, issue)


def _check_wanted(reader: User, kind: NotificationKind) -> None:
    expect(bool(reader.email) and preferences.wants_email(reader, kind))
    if "email" in reader.unreached.split():
        # What would be dropped now could not be brought back if the refusal is taken back.
        if until := deliverability.undecided_until(reader):
            raise Later(until)
        raise Superseded


def _is_calm(reader: User, kind: NotificationKind) -> bool:
    """Whether one such e-mail stands for all until the reader comes."""
    return preferences.of(reader).frequency == Frequency.CALM and kind in WAITING


def _wait_until_due(dispatch: Dispatch, reader: User, kind: NotificationKind) -> None:
    """Raises Later before the hour at which the reader wants this e-mail."""
    wanted = preferences.of(reader)
    if wanted.frequency == Frequency.NOW and wanted.quiet_from is None:
        return
    at = dispatch.claimed_at or now()
    due = schedule.email_due(wanted, reader.zoneinfo, kind, dispatch.created_at, at)
    if due > at and kind == NotificationKind.REMINDER:
        deadline = _deadline(dispatch)
        due = schedule.email_due(
            wanted, reader.zoneinfo, kind, dispatch.created_at, at, deadline=deadline
        )
    if due > at:
        raise Later(due)


def _deadline(dispatch: Dispatch) -> datetime | None:
    mine = Player.objects.filter(match=dispatch.ref["match"], user=dispatch.user_id)
    return mine.values_list("deadline", flat=True).first()
