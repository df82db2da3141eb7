"""Overtaken messages: one came in time, and its match had ended on time before it was read.

That takes a mail server that held it back while the listener answered. Administrators can give such
a match back; so they are told, by the log and by an e-mail to ADMINS.
"""

import logging

from django.core.mail import mail_admins
from django.db import transaction

from games.mail.answering.incoming_message import Answer
from games.mail.models import IncomingMessage

log = logging.getLogger(__name__)

SUBJECT = "A move came by e-mail in time, and its match had ended"
TOLD = (
    "Message %s came at %s, before match %s ended on time, and was read after it. For 48 hours "
    "the admin, or manage.py reinstate, can give the match back."
)


def warn_admins(row: IncomingMessage, answer: Answer) -> None:
    """Write to administrators once the message's transaction is committed."""
    told = TOLD % (row.pk, row.arrived_at.isoformat(timespec="seconds"), answer.match_id)

    def send() -> None:
        log.error(told)
        try:
            mail_admins(SUBJECT, told)
        except Exception as error:
            log.error("ADMINS could not be written to (%s).", type(error).__name__)

    transaction.on_commit(send, robust=True)
