"""The e-mail of one notification: written, sent, and noted for calm readers."""

from accounts.models import User
from accounts.people import presence
from games.notifications.email.composing import match_emails
from games.notifications.email.replies.issuing import Issuer
from games.notifications.email.sending import delivery
from games.notifications.email.sending.delivery import alone, send
from games.notifications.email.sending.mime import Email
from games.notifications.policy.localization import localized
from games.notifications.policy.notification import Notification, View
from games.notifications.policy.relevance import expect, reader_of
from games.outbox.handling import Batch
from games.outbox.models import Dispatch


def deliver(
    notification: Notification,
    dispatch: Dispatch,
    reader: User,
    batch: Batch,
    view: View,
    *,
    calm: bool,
) -> None:
    """Write and send it. `calm`: unless the reader has been notified since their last visit."""
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
