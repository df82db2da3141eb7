"""E-mail delivery: over the batch's one SMTP connection, and one worker at a time per reader."""

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Q

from accounts.models import User
from games.notifications.email.bounces import NO_MAILBOX
from games.notifications.email.mime import Email
from games.notifications.policy import deliverability
from games.outbox import retries
from games.outbox.db_clock import now, now_expression
from games.outbox.handling import Batch, Later
from games.outbox.models import Dispatch


def connect(batch: Batch) -> BaseEmailBackend:
    """The batch's one connection to the mail server; raises ServiceUnavailable without one."""
    return batch.keep("smtp", _connection)


def send(email: Email, reader: User, batch: Batch) -> None:
    """Hand an e-mail to the mail server, and note that it went or why it bounced."""
    try:
        connect(batch).send_messages([email])
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
        if retries.is_permanent(error):
            unknown = any(NO_MAILBOX.match(said) for said in _said(error))
            deliverability.bounced(
                reader, deliverability.NO_SUCH if unknown else deliverability.AWAY, lasting=unknown
            )
        raise
    batch.keep("e-mails sent", deliverability.Tally).add(reader)


def _said(error: smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError) -> list[bytes]:
    """The server's words, which begin with an enhanced code if it knows of such."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return [words for _code, words in error.recipients.values()]
    words = error.smtp_error
    return [words if isinstance(words, bytes) else words.encode()]


@contextmanager
def alone(dispatch: Dispatch, reader: User) -> Iterator[None]:
    """Within the block, no other dispatcher sends this reader an e-mail that stands for several.

    Raises Later where one does. What is known of the reader, and of what waits for them, is to be
    read within.
    """
    # No transaction stays open while the mail server is talked to. The mark ends with the lease of
    # the row it is for: whoever is killed within leaves both behind, and both are free again at the
    # same instant, so that the e-mail comes later, but comes.
    until = dispatch.lease_until or now()
    person = User.objects.filter(pk=reader.pk)
    free = Q(in_hand_until__isnull=True) | Q(in_hand_until__lte=now_expression())
    # Whoever left a mark behind was killed, and maybe before the e-mail left: then the reader has
    # not been written to, whatever was noted.
    hushed = Q(hushed=True, in_hand_until__isnull=True)
    if not person.filter(free).update(in_hand_until=until, hushed=hushed):
        raise Later(person.values_list("in_hand_until", flat=True).first() or now())
    try:
        yield
    finally:
        person.filter(in_hand_until=until).update(in_hand_until=None)


def _connection() -> BaseEmailBackend:
    connection = get_connection()
    connection.open()
    return connection
