"""How a letter leaves: in its reader's language, over the batch's one line, and noted down."""

import smtplib
from collections.abc import Callable
from typing import Any

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone, translation

from accounts.models import User
from games.mail.stationery import Letter
from games.notices import health
from games.relay import failure
from games.relay.outbox import Batch


def send(
    write: Callable[..., Letter], reader: User, batch: Batch, *about: Any, **more: Any
) -> None:
    """Write the letter as its reader reads, and hand it to the mail server."""
    # The line first: while the mail server is away, no letter is written in vain.
    line = batch.keep("smtp", _connection)
    with translation.override(reader.letter_language), timezone.override(reader.zoneinfo):
        letter = write(reader, *about, **more)
    try:
        line.send_messages([letter])
    except smtplib.SMTPRecipientsRefused as error:
        if failure.is_lasting(error):
            # The enhanced code (RFC 3463) tells a mailbox that is not there from other troubles.
            unknown = any(b"5.1." in words for _code, words in error.recipients.values())
            health.bounced(reader, health.NO_SUCH if unknown else health.AWAY, lasting=unknown)
        raise
    batch.keep("letters sent", health.Tally).add(reader)


def _connection() -> BaseEmailBackend:
    connection = get_connection()
    connection.open()
    return connection
