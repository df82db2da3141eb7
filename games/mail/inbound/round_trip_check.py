"""Round-trip check: sends an e-mail to the service itself, and waits until it is processed."""

import time
from collections.abc import Iterator
from contextlib import closing
from email.utils import format_datetime, make_msgid

from django.conf import settings
from django.core.mail import EmailMessage

from games.mail import addresses, sealing
from games.mail.inbound import listener_probe
from games.mail.inbound.dns_check import Finding
from games.mail.models import IncomingMessage, RecipientKind
from games.notifications.email import verp
from games.notifications.email.replies import reply_addresses
from games.notifications.email.sending import delivery, server_faults
from games.outbox.delivery import retries
from games.outbox.handling import Batch, MailboxRefused, OwnFault, ServiceUnavailable
from lib.db_clock import now

PAUSE_SECONDS = 0.5
MAX_ROWS = 100  # new messages to look through
TEXT = "This is an e-mail of `manage.py check_mail` to the service itself.\n"


def findings(wait_seconds: float) -> Iterator[Finding]:
    """Findings on the mail settings, then one on the round trip."""
    yield from _settings()
    if settings.EMAIL_BACKEND != "django.core.mail.backends.smtp.EmailBackend":
        yield Finding(
            False,
            "Loop: EMAIL_URL names no mail server, so that nothing leaves. Set it, for instance to "
            "smtp+tls://user:password@mail.example.org:587.",
        )
        return
    last = IncomingMessage.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    message_id = make_msgid("check", settings.MAIL_DOMAIN)
    try:
        _send(message_id)
    except (OSError, ValueError) as error:
        yield Finding(False, f"Loop: {_failure(error)}")
        return
    yield _returned(last, message_id, wait_seconds)


def _settings() -> Iterator[Finding]:
    if not reply_addresses.replies_are_taken():
        yield Finding(
            False,
            "Way in: there is none. Set MAIL_LISTEN, MAIL_PROVIDER or MAIL_IMAP, or have a mail "
            "server call `manage.py receive_mail` and set MAIL_REPLIES=true.",
        )
    if listener_probe.is_open() is False:
        yield Finding(
            False,
            "Way in: nobody listens at MAIL_LISTEN. Start `manage.py up`, or "
            "`manage.py listen_mail` alone.",
        )
    if settings.MAIL_AUTHSERV_ID:
        yield Finding(True, f"Senders: {settings.MAIL_AUTHSERV_ID} is believed.")
    elif settings.MAIL_CHECK_DKIM:
        yield Finding(True, "Senders: their signatures are checked here.")
    elif not settings.DEMO:
        yield Finding(
            False,
            "Senders: nobody is believed. Set MAIL_AUTHSERV_ID to the name under which your mail "
            "server writes Authentication-Results, or MAIL_CHECK_DKIM=true.",
        )


def _send(message_id: str) -> None:
    """Send an e-mail as to a player, with an envelope sender of its own."""
    headers = {
        "From": settings.DEFAULT_FROM_EMAIL,
        "Message-ID": message_id,
        "Date": format_datetime(now()),
        "Auto-Submitted": "auto-generated",
    }
    email = EmailMessage(
        "Check of the mail",
        TEXT,
        verp.sender_without_reader(),
        [addresses.service_address()],
        headers=headers,
    )
    with closing(Batch()) as batch:
        delivery.hand_over(email, batch)


def _failure(error: Exception) -> str:
    """Why the e-mail was not sent. The exception text may quote an address or a password."""
    match error:
        case ServiceUnavailable() if sentence := server_faults.sentence(error.kind):
            return sentence
        case MailboxRefused():
            return (
                f"the mail server refuses {addresses.service_address()} as a mailbox "
                f"({error.code}). It should hand mail to that address on to this service."
            )
        case OwnFault():
            return (
                "the mail server refuses the e-mail for a reason that lies with us "
                f"({error.code}). docs/running/mail.md tells what the code means."
            )
    kind = error.kind if isinstance(error, ServiceUnavailable) else retries.describe(error)
    return (
        f"the mail server of EMAIL_URL did not take the e-mail ({kind}). "
        "docs/running/troubleshooting.md says what each of these means."
    )


def _returned(last: int, message_id: str, wait_seconds: float) -> Finding:
    until, was_seen = time.monotonic() + wait_seconds, False
    while True:
        row = _find(last, message_id)
        if row is not None and row.done_at is not None:
            return Finding(True, "Loop: an e-mail to ourselves came back, and was read.")
        was_seen = was_seen or row is not None
        if time.monotonic() >= until:
            break
        time.sleep(PAUSE_SECONDS)
    if was_seen:
        return Finding(
            False, "Loop: an e-mail to ourselves came back and is not read. Start a worker."
        )
    return Finding(
        False,
        f"Loop: an e-mail to {addresses.service_address()} left and has not come back within "
        f"{wait_seconds:.0f} s. See the mail server's log; it should hand mail to that address on.",
    )


def _find(last: int, message_id: str) -> IncomingMessage | None:
    rows = IncomingMessage.objects.filter(pk__gt=last, door=RecipientKind.SERVICE).defer(
        "sealed", "receipt"
    )
    own = (row for row in rows[:MAX_ROWS] if sealing.envelope_of(row)["message_id"] == message_id)
    return next(own, None)
