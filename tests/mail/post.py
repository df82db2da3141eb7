"""Sends replies to real e-mails through the intake, as a mail program writes them.

email = post.email(bob)              # the newest e-mail to Bob
post.answer(bob, email, "a4-a5")    # stored and processed; returns the receipt
"""

from email.message import EmailMessage
from itertools import count
from typing import Any

from django.core import mail
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.mail import intake, sealing
from games.mail.answering import worker
from games.mail.models import IncomingMessage, WayIn
from games.outbox.delivery import dispatcher
from tests.notifications.email.reading import delivered, sent_emails

numbers = count(1)


def emails(reader: User) -> list[EmailMultiAlternatives]:
    """Deliver what waits in the outbox; the e-mails to this reader."""
    return [email for email in delivered() if email.to == [reader.email]]


def email(reader: User) -> EmailMultiAlternatives:
    """Deliver what waits in the outbox; the newest e-mail to this reader."""
    return emails(reader)[-1]


def reply_to(email: EmailMultiAlternatives) -> str:
    return str(email.extra_headers["Reply-To"])


def written(
    writer: User | str, text: str, *, message_id: str = "", headers: dict[str, str] | None = None
) -> bytes:
    """A raw message, as a mail program writes it."""
    message = EmailMessage()
    message["From"] = writer if isinstance(writer, str) else writer.email
    message["Subject"] = "Re: your e-mail"
    message["Message-ID"] = message_id or f"<{next(numbers)}@example.org>"
    for name, value in (headers or {}).items():
        message[name] = value
    message.set_content(text)
    return message.as_bytes()


def authenticated(raw: bytes, by: str, domain: str = "example.org") -> bytes:
    """The message with the sender authentication of a mail server of this name."""
    return f"Authentication-Results: {by}; dmarc=pass header.from={domain}\r\n".encode() + raw


def take(
    email: EmailMultiAlternatives | str,
    raw: bytes,
    sender: str | None = None,
    way_in: WayIn = WayIn.LISTENER,
) -> None:
    """Store a message and process it."""
    recipient = email if isinstance(email, str) else reply_to(email)
    intake.store_message(raw, recipient, sender, way_in=way_in)
    worker.process_waiting()


def answer(
    writer: User, email: EmailMultiAlternatives | str, text: str, **more: Any
) -> EmailMultiAlternatives:
    """Reply to an e-mail; returns the receipt."""
    (receipt,) = answers(writer, email, text, **more)
    return receipt


def answers(
    writer: User, email: EmailMultiAlternatives | str, text: str, **more: Any
) -> list[EmailMultiAlternatives]:
    """Send a message; returns its receipts. Waiting e-mails are delivered before."""
    dispatcher.drain()
    take(email, written(writer, text, **more))
    mail.outbox = []
    dispatcher.drain()
    return [sent for sent in sent_emails() if "X-Estafette-Outcome" in sent.extra_headers]


def outcome(receipt: EmailMultiAlternatives) -> str:
    return str(receipt.extra_headers["X-Estafette-Outcome"])


def last() -> IncomingMessage:
    """The newest incoming message."""
    return IncomingMessage.objects.latest("pk")


def raw(row: IncomingMessage) -> bytes:
    """The raw message of a row."""
    return sealing.unseal_message(row.sealed, row.key)
