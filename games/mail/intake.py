"""Intake: the one function behind every way in; a message is stored before anybody hears "250".

It is not read here: that is left to a worker, who may take his time over it.
"""

import re
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.db import transaction

from accounts.models import User
from games.mail import addresses
from games.mail.arrival import BLANK_LINE, MAX_HEADER_BYTES, arrival, head_of
from games.mail.models import Door, IncomingMessage
from games.mail.sealing import seal_facts, seal_message
from games.notifications.email import verp
from games.notifications.email.replies import reply_addresses
from games.outbox.wake_worker import wake_worker
from lib.db_clock import now

READ = "games.mail.tasks.read_messages"  # the task that is woken

MESSAGE_ID = re.compile(
    rb"(?im)^Message-ID:[ \t]*(<[\x21-\x7e]{1,898}>|[\x21-\x7e]{1,900}(?=[ \t\r]*$))"
)
DATE = re.compile(rb"(?im)^Date:([^\r\n]*)")
# Before the header, as some mail servers write it into a pipe.
ENVELOPE_LINE = re.compile(rb"\A>?From [^\r\n]*\r?\n")


class NotOurs(Exception):  # noqa: N818 - an answer to whoever brought it.
    """The recipient is no address of ours."""


class TooLarge(Exception):  # noqa: N818 - an answer to whoever brought it.
    """The message has more than MAIL_MAX_BYTES."""


def check_recipient(recipient: str) -> Door:
    """What the recipient is for; raises NotOurs."""
    door = addresses.door_of(addresses.bare(recipient))
    if door is None:
        raise NotOurs
    return door


def take(
    raw: bytes, recipient: str, sender: str | None = None, arrived: datetime | None = None
) -> None:
    """Store a message, durably once this returns; the same message again is the same row.

    `recipient` and `sender` are the envelope's; None stands for a sender that is not known, "" for
    the null sender of automatic mail. `arrived` is when the first of our own machines had it, if
    the way in knows better than the message. Raises NotOurs, TooLarge, and what the database
    raises. An address that is well-formed and unknown takes a message and drops it: to refuse it
    would make our mail server write to senders who may be forged, and tell guesses apart.
    """
    recipient = addresses.bare(recipient)
    door = check_recipient(recipient)
    if len(raw) > settings.MAIL_MAX_BYTES:
        raise TooLarge
    raw = ENVELOPE_LINE.sub(b"", raw, count=1)
    user, address = _reader_of(door, recipient)
    if user is None and door != Door.POST:
        return
    message_id = _message_id(raw)
    key = _key(raw, recipient, message_id)
    envelope = {
        "recipient": recipient,
        "sender": None if sender is None else addresses.sender_of(sender),
        "message_id": message_id,
    }
    with transaction.atomic():
        at = now()
        row = IncomingMessage(
            key=key,
            door=door,
            user_id=user,
            address=address,
            envelope=seal_facts(envelope, "envelope", key),
            sealed=seal_message(raw, key),
            arrived_at=arrival(raw, at) if arrived is None else min(arrived, at),
            taken_at=at,
        )
        IncomingMessage.objects.bulk_create([row], ignore_conflicts=True)
        transaction.on_commit(lambda: wake_worker(READ), robust=True)


def _reader_of(door: Door, recipient: str) -> tuple[int | None, int | None]:
    """Whose e-mail was answered or came back, and the reply address, as far as they are known."""
    if door == Door.REPLY:
        address = reply_addresses.find(recipient)
        return (None, None) if address is None else (address.user_id, address.pk)
    if door == Door.BOUNCE:
        reader = verp.read(recipient)
        return (None if reader is None else reader.pk), None
    return None, None


def _message_id(raw: bytes) -> str:
    found = MESSAGE_ID.search(head_of(raw))
    return found[1].decode("ascii") if found else ""


def _key(raw: bytes, recipient: str, message_id: str) -> str:
    """A digest of recipient, Message-ID and body; without the second, of the date as well.

    Mail servers change the rest of a header at each hop, and the ends of lines.
    """
    if not message_id and (date := DATE.search(head_of(raw))):
        message_id = date[1].decode("latin-1")
    blank = BLANK_LINE.search(raw[: MAX_HEADER_BYTES + 4])
    body = raw[blank.end() :] if blank else raw
    digest = sha256(f"{recipient.lower()}\n{message_id}\n".encode())
    digest.update(body.replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def delete_messages_of(user: User) -> None:
    """Delete the messages of an account that is erased."""
    IncomingMessage.objects.filter(user=user).delete()
