"""E-mail delivery: over the batch's one SMTP connection, and one worker at a time per reader.

What the mail server refuses is told apart here: a mailbox (MailboxRefused), an e-mail for a reason
of ours (OwnFault), or everything (ServiceUnavailable).
"""

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend
from django.db.models import Q

from accounts.models import User
from games.notifications.email.sending import server_faults, smtp_refusals
from games.notifications.email.sending.mime import Email
from games.notifications.email.sending.server_faults import ServerFault
from games.notifications.email.sending.smtp_refusals import Fault, Stage
from games.notifications.policy import deliverability
from games.outbox.handling import Batch, Later, MailboxRefused, OwnFault, ServiceUnavailable
from games.outbox.models import Dispatch
from lib.db_clock import now, now_expression

CONNECTION, TALLY = "smtp", "e-mails sent"
BAD_ADDRESS = "5.1.3"
TOO_BIG = 552  # said to MAIL, it is about the e-mail and not about its sender


def connect(batch: Batch) -> BaseEmailBackend:
    """The batch's one connection to the mail server; raises ServiceUnavailable without one."""
    return batch.keep(CONNECTION, _connection)


def send(email: Email, reader: User, batch: Batch) -> None:
    """Hand a reader's e-mail to the mail server, and note that it went or was refused."""
    try:
        hand_over(email, batch)
    except MailboxRefused as refused:
        # Else what this batch has sent so far would be noted only at its end.
        batch.keep(TALLY, deliverability.Tally).close()
        if not deliverability.refused(reader, lasting=refused.lasting):
            raise OwnFault(refused.code, many=True) from None
        raise
    batch.keep(TALLY, deliverability.Tally).add(reader)


def send_to_address(email: EmailMessage, batch: Batch) -> None:
    """Hand an e-mail to the mail server that goes to an address, whoever's it may be."""
    try:
        hand_over(email, batch)
    except MailboxRefused as refused:
        if deliverability.are_many_refused():
            raise OwnFault(refused.code, many=True) from None
        raise


def hand_over(email: EmailMessage, batch: Batch) -> None:
    """Hand an e-mail to the mail server, for its one recipient.

    Raises MailboxRefused, OwnFault or ServiceUnavailable; any other exception may pass by itself.
    """
    try:
        connect(batch).send_messages([email])
    except smtplib.SMTPRecipientsRefused as error:
        code, answer = next(iter(error.recipients.values()))
        _raise_refusal(Stage.RCPT, code, answer)
        raise
    except smtplib.SMTPDataError as error:
        _raise_refusal(Stage.DATA, error.smtp_code, error.smtp_error)
        raise
    except smtplib.SMTPResponseException as error:
        if isinstance(error, smtplib.SMTPSenderRefused) and error.smtp_code == TOO_BIG:
            raise OwnFault(str(TOO_BIG)) from None
        fault = server_faults.of(error)
        if isinstance(fault, ServerFault):
            raise batch.refuse(CONNECTION, fault) from None
        raise
    except ValueError:
        # Its text has the address.
        if all(map(server_faults.is_carried, email.recipients())):
            raise
        raise MailboxRefused(BAD_ADDRESS, lasting=True) from None


def _raise_refusal(stage: Stage, code: int, answer: bytes | str) -> None:
    """Raise what a refusal for good means; one for this time is left to the caller."""
    if code < 500:
        return
    answer = answer.encode(errors="replace") if isinstance(answer, str) else answer
    refusal = smtp_refusals.judge(stage, code, answer)
    if refusal.is_ours:
        raise OwnFault(refusal.code) from None
    raise MailboxRefused(refusal.code, lasting=refusal.fault == Fault.ADDRESS) from None


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
    if isinstance(connection, EmailBackend) and (fault := server_faults.of_sender()):
        raise ServiceUnavailable(fault)
    try:
        connection.open()
    except (OSError, ValueError) as error:
        # The exception of a password that cannot be sent holds the password.
        with suppress(Exception):
            connection.close()
        raise ServiceUnavailable(server_faults.of(error)) from None
    return connection
