"""How a letter leaves: in its reader's language, over the batch's one line, and noted down."""

import smtplib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Q
from django.utils import timezone, translation

from accounts.models import User
from games.mail.bounces import NO_MAILBOX
from games.mail.stationery import Letter
from games.notices import health
from games.relay import failure
from games.relay.models import Dispatch
from games.relay.moment import now, present
from games.relay.outbox import Batch, Later


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
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError) as error:
        if failure.is_lasting(error):
            unknown = any(NO_MAILBOX.match(said) for said in _said(error))
            health.bounced(reader, health.NO_SUCH if unknown else health.AWAY, lasting=unknown)
        raise
    batch.keep("letters sent", health.Tally).add(reader)


def _said(error: smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError) -> list[bytes]:
    """The server's words, which begin with an enhanced code if it knows of such."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return [words for _code, words in error.recipients.values()]
    words = error.smtp_error
    return [words if isinstance(words, bytes) else words.encode()]


@contextmanager
def alone(dispatch: Dispatch, reader: User) -> Iterator[None]:
    """Within the block, no other carrier sends this reader a letter that stands for several.

    Raises Later where one does. What is known of the reader, and of what waits for them, is to be
    read within.
    """
    # No transaction stays open while the mail server is talked to. The mark ends with the lease of
    # the row it is for: whoever is killed within leaves both behind, and both are free again at the
    # same instant, so that the letter comes later, but comes.
    until = dispatch.lease_until or now()
    person = User.objects.filter(pk=reader.pk)
    free = Q(in_hand_until__isnull=True) | Q(in_hand_until__lte=present())
    # Whoever left a mark behind was killed, and maybe before the letter left: then the reader has
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
