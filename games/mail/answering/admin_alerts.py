"""Alerts ADMINS to overtaken messages: a move, plan or set-up in time, read after the end on time.

This happens if a mail server delays a message while the listener is reachable. Administrators can
reinstate such a match.
"""

import logging

from django.db import transaction

from games.mail.answering.answer import Answer
from games.mail.models import IncomingMessage
from games.outbox.delivery.admin_emails import send_to_admins

log = logging.getLogger(__name__)

SUBJECT = "A move came by e-mail in time, and its match had ended"
TEXT = (
    "Message %s came at %s, before the deadline of match %s, and was read after the match had "
    "ended on time. For 48 hours the admin, or manage.py reinstate, can give the match back."
)


def alert_admins(row: IncomingMessage, answer: Answer) -> None:
    """Log an error and e-mail ADMINS once the transaction of the message is committed."""
    text = TEXT % (row.pk, row.arrived_at.isoformat(timespec="seconds"), answer.match_id)

    def send() -> None:
        log.error(text)
        try:
            send_to_admins(SUBJECT, text)
        except Exception as error:
            log.error("ADMINS could not be written to (%s).", type(error).__name__)

    transaction.on_commit(send, robust=True)
