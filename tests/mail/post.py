"""Mail of tests: answers to real e-mails, as a mail program writes them, by the real intake.

email = post.email(bob)              # the newest e-mail to Bob
post.answer(bob, email, "a4-a5")    # taken in, read, acted on; what the outbox then sends
"""

from email.message import EmailMessage
from itertools import count
from typing import Any

from django.core import mail
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.mail import intake, sealing
from games.mail.answering import worker
from games.mail.models import IncomingMessage
from games.outbox import dispatcher
from tests.notifications.email.reading import delivered, sent_emails

numbers = count(1)


def emails(reader: User) -> list[EmailMultiAlternatives]:
    """What the outbox has waiting for this reader, delivered now."""
    return [email for email in delivered() if email.to == [reader.email]]


def email(reader: User) -> EmailMultiAlternatives:
    """The newest of them."""
    return emails(reader)[-1]


def reply_to(email: EmailMultiAlternatives) -> str:
    return str(email.extra_headers["Reply-To"])


def written(
    writer: User | str, text: str, *, message_id: str = "", headers: dict[str, str] | None = None
) -> bytes:
    """A message as a mail program writes it."""
    message = EmailMessage()
    message["From"] = writer if isinstance(writer, str) else writer.email
    message["Subject"] = "Re: your e-mail"
    message["Message-ID"] = message_id or f"<{next(numbers)}@example.org>"
    for name, value in (headers or {}).items():
        message[name] = value
    message.set_content(text)
    return message.as_bytes()


def take(email: EmailMultiAlternatives | str, raw: bytes, sender: str | None = None) -> None:
    """Take a message in and deal with it."""
    intake.store_message(raw, email if isinstance(email, str) else reply_to(email), sender)
    worker.process_waiting()


def answer(
    writer: User, email: EmailMultiAlternatives | str, text: str, **more: Any
) -> EmailMultiAlternatives:
    """The receipt of an answer to an e-mail."""
    (receipt,) = answers(writer, email, text, **more)
    return receipt


def answers(
    writer: User, email: EmailMultiAlternatives | str, text: str, **more: Any
) -> list[EmailMultiAlternatives]:
    """The receipts of an answer; other e-mails that wait are sent before it."""
    dispatcher.drain()
    take(email, written(writer, text, **more))
    mail.outbox = []
    dispatcher.drain()
    return [sent for sent in sent_emails() if "X-Estafette-Outcome" in sent.extra_headers]


def outcome(receipt: EmailMultiAlternatives) -> str:
    return str(receipt.extra_headers["X-Estafette-Outcome"])


def last() -> IncomingMessage:
    """The newest message that came in."""
    return IncomingMessage.objects.latest("pk")


def raw(row: IncomingMessage) -> bytes:
    """A message as it came."""
    return sealing.unseal_message(row.sealed, row.key)
