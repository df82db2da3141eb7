"""Outbox wiring: the handlers of each event, and the function behind each handler's key.

Keys are stored in rows of the outbox (games/outbox/registry.py), so they must not change when a
module is moved or renamed. A handler gets a dispatch and its batch (games/outbox/handling.py).
"""

from games.notifications import catalogue

HANDLERS: dict[str, str] = {
    catalogue.NOTIFY: "games.notifications.notify.notify",
    "push": "games.notifications.channels.web_push.on_event",
    "webhook": "games.notifications.channels.webhooks.on_event",
    "account-email": "games.notifications.email.account_emails.deliver",
    "mail-receipt": "games.mail.answering.receipts.deliver",
    # Test messages that a user asked for.
    "trial-email": "games.notifications.email.handlers.on_trial",
    "trial-push": "games.notifications.channels.web_push.on_trial",
    "trial-webhook": "games.notifications.channels.webhooks.on_trial",
}


def handlers_of(event: str) -> tuple[str, ...]:
    """The keys of an event's handlers; empty for an unknown event."""
    return (catalogue.NOTIFY,) if event in catalogue.NOTIFICATIONS else ()
