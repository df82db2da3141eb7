"""E-mail delivery: over the batch's one SMTP connection, and one worker at a time per reader.

Refusals of the mail server become exceptions: of the recipient's mailbox (MailboxRefused), by our
fault (OwnFault), or of everything (ServiceUnavailable).
"""

import logging
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

log = logging.getLogger(__name__)

CONNECTION, TALLY = "smtp", "e-mails sent"
BAD_ADDRESS = "5.1.3"
TOO_BIG = 552  # after MAIL, it concerns the e-mail and not its sender


def connect(batch: Batch) -> BaseEmailBackend:
    """The batch's one connection to the mail server; raises ServiceUnavailable without one."""
    return batch.keep(CONNECTION, _connection)


def send(email: Email, reader: User, batch: Batch) -> None:
    """Hand a reader's e-mail to the mail server, and record that it was accepted or refused.

    Raises as `hand_over`.
    """
    try:
        hand_over(email, batch)
    except MailboxRefused as refused:
        # Store what this batch has sent so far, since `refused` counts it.
        batch.keep(TALLY, deliverability.Tally).close()
        if not deliverability.refused(reader, lasting=refused.lasting):
            raise OwnFault(refused.code, many=True) from None
        raise
    batch.keep(TALLY, deliverability.Tally).add(reader)


def send_to_address(email: EmailMessage, batch: Batch) -> None:
    """Hand an e-mail to the mail server for an address that may belong to no user."""
    try:
        hand_over(email, batch)
    except MailboxRefused as refused:
        if deliverability.are_many_refused():
            raise OwnFault(refused.code, many=True) from None
        raise


def hand_over(email: EmailMessage, batch: Batch) -> None:
    """Hand an e-mail with one recipient to the mail server.

    Raises MailboxRefused, OwnFault or ServiceUnavailable, or another exception for a failure that
    may be temporary.
    """
    try:
        connect(batch).send_messages([email])
        # The dispatcher adds the row, its user, and the request that led to it.
        log.info("Sent an e-mail.", extra={"fields": {"message_id": _message_id(email)}})
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
        fault = server_faults.classify(error)
        if isinstance(fault, ServerFault):
            raise batch.refuse(CONNECTION, fault) from None
        raise
    except ValueError:
        # Its message contains the address, so it must not be logged.
        if all(map(server_faults.is_carried, email.recipients())):
            raise
        raise MailboxRefused(BAD_ADDRESS, lasting=True) from None


def _message_id(email: EmailMessage) -> str:
    """The Message-ID without its brackets, as in the logs of mail servers."""
    return str(email.extra_headers.get("Message-ID", "")).strip("<>")


def _raise_refusal(stage: Stage, code: int, answer: bytes | str) -> None:
    """Raise MailboxRefused or OwnFault for a permanent refusal; return for a temporary one."""
    if code < 500:
        return
    answer = answer.encode(errors="replace") if isinstance(answer, str) else answer
    refusal = smtp_refusals.judge(stage, code, answer)
    if refusal.is_ours:
        raise OwnFault(refusal.code) from None
    raise MailboxRefused(refusal.code, lasting=refusal.fault == Fault.ADDRESS) from None


@contextmanager
def exclusive(dispatch: Dispatch, reader: User) -> Iterator[None]:
    """Within the block, no other dispatcher sends this reader an e-mail that covers several rows.

    Raises Later if another one does. Read the reader's state and waiting rows within the block.
    """
    # A mark in the reader's row, since no transaction may stay open during SMTP. The mark expires
    # with the row's lease, so after a killed worker the e-mail is retried.
    until = dispatch.lease_until or now()
    row = User.objects.filter(pk=reader.pk)
    free = Q(in_hand_until__isnull=True) | Q(in_hand_until__lte=now_expression())
    # An expired mark means that a worker was killed, perhaps before the e-mail was sent. So
    # `hushed`, which it set before sending, is reset.
    hushed = Q(hushed=True, in_hand_until__isnull=True)
    if not row.filter(free).update(in_hand_until=until, hushed=hushed):
        raise Later(row.values_list("in_hand_until", flat=True).first() or now())
    try:
        yield
    finally:
        row.filter(in_hand_until=until).update(in_hand_until=None)


def _connection() -> BaseEmailBackend:
    connection = get_connection()
    if isinstance(connection, EmailBackend) and (fault := server_faults.sender_fault()):
        raise ServiceUnavailable(fault)
    try:
        connection.open()
    except (OSError, ValueError) as error:
        # The exception for a password that cannot be encoded contains the password.
        with suppress(Exception):
            connection.close()
        raise ServiceUnavailable(server_faults.classify(error)) from None
    return connection
