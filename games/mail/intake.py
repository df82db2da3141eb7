"""Intake: stores an incoming message durably before it is acknowledged.

Every way in calls `store_message`. A worker parses the message later. Anybody may write to the
general address, so of a message that comes from no player only the row is stored: it takes no time
of the worker, and no space.
"""

import re
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.mail import addresses
from games.mail.arrival_time import BLANK_LINE, MAX_HEADER_BYTES, arrival_time, header_block
from games.mail.models import IncomingMessage, MessageOutcome, RecipientKind, WayIn
from games.mail.sealing import seal_json, seal_message
from games.notifications.email import verp
from games.notifications.email.replies import reply_addresses
from games.outbox.wake_worker import wake_worker
from lib.db_clock import now

READ_TASK = "games.mail.tasks.read_messages"

STRANGER = "nobody here wrote it"  # why a message to the general address was dropped

MESSAGE_ID = re.compile(
    rb"(?im)^Message-ID:[ \t]*(<[\x21-\x7e]{1,898}>|[\x21-\x7e]{1,900}(?=[ \t\r]*$))"
)
DATE = re.compile(rb"(?im)^Date:([^\r\n]*)")
# The mbox "From " line, which some mail servers write into a pipe.
MBOX_FROM_LINE = re.compile(rb"\A>?From [^\r\n]*\r?\n")


class UnknownRecipient(Exception):  # noqa: N818
    """The recipient is not an address of this service."""


class MessageTooLarge(Exception):  # noqa: N818
    """The message is larger than MAIL_MAX_BYTES."""


def check_recipient(recipient: str) -> RecipientKind:
    """The kind of the recipient address; raises UnknownRecipient."""
    kind = addresses.recipient_kind(addresses.strip_brackets(recipient))
    if kind is None:
        raise UnknownRecipient
    return kind


def store_message(
    raw: bytes,
    recipient: str,
    sender: str | None = None,
    arrived: datetime | None = None,
    *,
    way_in: WayIn,
) -> None:
    """Store a message durably; storing the same message again has no effect.

    `recipient` and `sender` are of the envelope: sender None means unknown, "" is the null sender
    of automatic mail. `arrived` overrides the arrival time derived from the message. `way_in`
    decides whose header fields are believed. Raises UnknownRecipient, MessageTooLarge, and database
    errors.

    A message to a well-formed but unknown reply or bounce address is dropped without an error:
    refusing it would send backscatter to forged senders, and reveal which addresses exist.
    """
    recipient = addresses.strip_brackets(recipient)
    kind = check_recipient(recipient)
    if len(raw) > settings.MAIL_MAX_BYTES:
        raise MessageTooLarge
    raw = MBOX_FROM_LINE.sub(b"", raw, count=1)
    user, address = _reader_of(kind, recipient)
    if user is None and kind != RecipientKind.SERVICE:
        return
    message_id = _message_id(raw)
    key = _key(raw, recipient, message_id)
    is_dropped = kind == RecipientKind.SERVICE and addresses.is_from_stranger(raw)
    envelope = {
        "recipient": recipient,
        "sender": None if sender is None else addresses.envelope_sender(sender),
        "message_id": message_id,
    }
    with transaction.atomic():
        at = now()
        row = IncomingMessage(
            key=key,
            door=kind,
            way_in=way_in,
            user_id=user,
            address=address,
            envelope=seal_json(envelope, "envelope", key),
            sealed=seal_message(b"" if is_dropped else raw, key),
            arrived_at=arrival_time(raw, at, way_in) if arrived is None else min(arrived, at),
            taken_at=at,
        )
        if is_dropped:
            row.done_at, row.outcome, row.why = at, MessageOutcome.NONE, STRANGER
        IncomingMessage.objects.bulk_create([row], ignore_conflicts=True)
        if not is_dropped:
            transaction.on_commit(lambda: wake_worker(READ_TASK), robust=True)


def _reader_of(kind: RecipientKind, recipient: str) -> tuple[int | None, int | None]:
    """The user whose e-mail is answered or bounced, and the ReplyAddress; ids or None."""
    if kind == RecipientKind.REPLY:
        address = reply_addresses.find(recipient)
        return (None, None) if address is None else (address.user_id, address.pk)
    if kind == RecipientKind.BOUNCE:
        reader = verp.read(recipient)
        return (None if reader is None else reader.pk), None
    return None, None


def _message_id(raw: bytes) -> str:
    match = MESSAGE_ID.search(header_block(raw))
    return match[1].decode("ascii") if match else ""


def _key(raw: bytes, recipient: str, message_id: str) -> str:
    """A digest of recipient, Message-ID and body; the Date replaces a missing Message-ID.

    Mail servers change other header fields and line endings at each hop.
    """
    if not message_id and (date := DATE.search(header_block(raw))):
        message_id = date[1].decode("latin-1")
    blank = BLANK_LINE.search(raw[: MAX_HEADER_BYTES + 4])
    body = raw[blank.end() :] if blank else raw
    digest = sha256(f"{recipient.lower()}\n{message_id}\n".encode())
    digest.update(body.replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def delete_messages_of(user: User) -> None:
    """Delete the messages of an account that is erased."""
    IncomingMessage.objects.filter(user=user).delete()
