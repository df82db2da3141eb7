"""Celery tasks of play by mail; idempotent: the rows decide."""

import logging

from celery import shared_task
from django.conf import settings

from games.mail.answering import worker
from games.mail.inbound import imap

log = logging.getLogger(__name__)


@shared_task
def read_messages() -> None:
    """Read what came in, do what it asks for, and write receipts."""
    worker.work()


@shared_task
def fetch_mail() -> None:
    """Take in what is unseen in the mailbox of MAIL_IMAP, if there is one.

    Not in a copy that was restored beside the original: what it took, the original would not see.
    """
    if not settings.MAIL_IMAP or settings.HOLD_EMAILS:
        return
    try:
        imap.fetch()
    except imap.ImapAway as error:
        log.error("The mailbox of MAIL_IMAP cannot be had (%s); it is tried again.", error)
