"""Sends the e-mail of one notification, and marks calm readers as notified."""

from accounts.models import User
from accounts.people import presence
from games.notifications.email.composing import match_emails
from games.notifications.email.composing.witness import Receipts
from games.notifications.email.replies.issuing import Issuer
from games.notifications.email.sending import delivery
from games.notifications.email.sending.delivery import exclusive, send
from games.notifications.email.sending.mime import Email
from games.notifications.policy import preferences
from games.notifications.policy.kinds import NotificationKind
from games.notifications.policy.localization import localized
from games.notifications.policy.notification import Notification
from games.notifications.policy.relevance import View, reader_of, supersede_unless
from games.outbox.handling import Batch
from games.outbox.models import Dispatch, Reason
from games.play.record.match_view import MatchView
from games.talk import emailing
from games.talk.emailing import TalkInEmail
from lib.db_clock import now


def deliver(
    notification: Notification,
    dispatch: Dispatch,
    reader: User,
    batch: Batch,
    view: View,
    *,
    calm: bool,
) -> None:
    """Write and send the e-mail. If `calm`, at most one is sent between two visits."""
    emailed = _talk_for(notification, view)

    def write_and_send() -> None:
        email = _write(notification, dispatch, reader, batch, view, emailed)
        send(email, reader, batch)
        Receipts.for_batch(batch).was_sent(email.witness)
        if emailed is not None:
            emailing.handed_over(
                emailed,
                about_talk=notification.kind == NotificationKind.TALK,
                by_mail=preferences.read(reader).by_mail,
                at=now(),
            )

    if not calm:
        write_and_send()
        return
    with exclusive(dispatch, reader):
        # Marked before SMTP, so that a visit during SMTP can clear the mark.
        supersede_unless(presence.mark_notified(reader), Reason.NOTIFIED)
        try:
            write_and_send()
        except BaseException:
            presence.mark_present(reader)
            raise
        reader.refresh_from_db(fields=["hushed"])


def on_trial(dispatch: Dispatch, batch: Batch) -> None:
    """Send a test e-mail that the reader asked for, at once and regardless of bounces."""
    reader = reader_of(dispatch)
    supersede_unless(bool(reader.email), Reason.NO_READER)
    delivery.connect(batch)
    with localized(reader):
        email = match_emails.trial(reader, dispatch.created_at, dispatch.message_id)
    send(email, reader, batch)


def _talk_for(notification: Notification, view: View) -> TalkInEmail | None:
    """The talk that an e-mail contains: all kinds but two contain none."""
    counts = {
        NotificationKind.TURN: emailing.LINES_WITH_A_TURN,
        NotificationKind.TALK: emailing.LINES_OF_TALK,
    }
    count = counts.get(notification.kind)
    if count is None or not isinstance(view, MatchView) or not (view.me and view.opponent):
        return None
    return emailing.lines_for_email(view.me, view.opponent, count)


def _write(
    notification: Notification,
    dispatch: Dispatch,
    reader: User,
    batch: Batch,
    view: View,
    emailed: TalkInEmail | None,
) -> Email:
    # Connect first, so that no e-mail is written while the mail server is unavailable.
    delivery.connect(batch)
    with localized(reader):
        return match_emails.write(
            notification,
            reader,
            view,
            dispatch.message_id,
            Issuer.for_batch(batch).issue,
            emailed,
            Receipts.for_batch(batch).of_view,
        )
