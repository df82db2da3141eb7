"""Celery tasks of play by mail; idempotent, since state is in the rows."""

import logging

from celery import shared_task
from django.conf import settings

from games.mail.answering import worker
from games.mail.inbound import imap_polling

log = logging.getLogger(__name__)


@shared_task
def read_messages() -> None:
    """Process waiting messages and send their receipts."""
    worker.process_waiting()


@shared_task
def fetch_mail() -> None:
    """Fetch unseen messages from the mailbox of MAIL_IMAP, if it is set.

    Not in a restored copy (HOLD_EMAILS): messages that it fetched would be missing in the original.
    """
    if not settings.MAIL_IMAP or settings.HOLD_EMAILS:
        return
    try:
        imap_polling.fetch()
    except imap_polling.ImapUnavailable as error:
        log.error("The mailbox of MAIL_IMAP cannot be had (%s); it is tried again.", error)
