"""Mail listener (LMTP or SMTP): answers 250 only after a message is stored.

For the installation's own mail server, or for the demo on one's own machine; never for port 25. It
checks the envelope and does not parse messages.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP
from django.conf import settings
from django.db import close_old_connections, connections

from games.mail import addresses, intake
from games.mail.models import WayIn

log = logging.getLogger(__name__)

THREADS = 4  # that store messages, each with a database connection
# RFC 5321 allows 1,000, but some programs write longer lines.
MAX_LINE_BYTES = 64 * 1024
IDLE_SECONDS = 60.0
MAX_RECIPIENTS = 100

STORED = "250 2.0.0 Stored"
UNKNOWN = "550 5.1.1 No such address here"
TOO_LARGE = "552 5.3.4 Message too large"
LATER = "451 4.3.0 Not stored, try again later"
TOO_MANY = "452 4.5.3 Too many recipients"


class Handler:
    """Handler of aiosmtpd: accepts recipients, and stores messages in threads."""

    def __init__(self, *, is_lmtp: bool) -> None:
        self._is_lmtp = is_lmtp
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")

    async def handle_RCPT(  # noqa: N802 - aiosmtpd names these.
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if addresses.recipient_kind(addresses.strip_brackets(address)) is None:
            return UNKNOWN
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        """One reply per recipient in LMTP; in SMTP one for all, an error if any failed."""
        raw, sender = bytes(envelope.content or b""), envelope.mail_from or ""
        loop = asyncio.get_running_loop()
        answers = [
            await loop.run_in_executor(self._threads, store, raw, recipient, sender)
            for recipient in envelope.rcpt_tos
        ]
        if self._is_lmtp:
            return "\r\n".join(answers)
        return next((answer for answer in answers if answer != STORED), STORED)

    async def handle_exception(self, error: Exception) -> str:
        log.error("The listener failed (%s).", type(error).__name__)
        return LATER


def store(raw: bytes, recipient: str, sender: str) -> str:
    """Store a message for one recipient; returns the SMTP reply."""
    try:
        close_old_connections()
        intake.store_message(raw, recipient, sender, way_in=WayIn.LISTENER)
    except intake.UnknownRecipient:
        return UNKNOWN
    except intake.MessageTooLarge:
        return TOO_LARGE
    except Exception as error:
        # The exception text may quote the message.
        log.error("A message was not stored (%s).", type(error).__name__)
        connections.close_all()
        return LATER
    finally:
        close_old_connections()
    return STORED


class _Limits:
    """Settings of both protocols; a mixin, listed before the class of aiosmtpd."""

    line_length_limit = MAX_LINE_BYTES


class SmtpServer(_Limits, SMTP):
    """SMTP, for the demo."""


class LmtpServer(_Limits, LMTP):
    """LMTP: one reply per recipient, also for the errors that the library sends only once."""

    async def push(self, status: Any) -> None:
        recipients = len(self.envelope.rcpt_tos) if self.envelope else 0
        is_single = isinstance(status, str) and status.startswith(("552 Error", "500 Line"))
        if is_single and recipients > 1:
            status = "\r\n".join([status] * recipients)
        await super().push(status)


def protocol(*, is_lmtp: bool) -> Any:
    """The protocol factory, called for each connection."""
    # aiosmtpd would log addresses and every line of a message.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    handler = Handler(is_lmtp=is_lmtp)
    server = LmtpServer if is_lmtp else SmtpServer

    def make() -> SMTP:
        return server(
            handler,
            data_size_limit=settings.MAIL_MAX_BYTES,
            enable_SMTPUTF8=True,
            hostname=settings.MAIL_DOMAIN,
            ident="Estafette",
            timeout=IDLE_SECONDS,
        )

    return make


def serve(listener: socket.socket, *, is_lmtp: bool) -> None:
    """Accept mail at a listening socket until SIGTERM or SIGINT."""
    asyncio.run(_serve(listener, is_lmtp=is_lmtp))


async def _serve(listener: socket.socket, *, is_lmtp: bool) -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await serve_until(stop, listener, is_lmtp=is_lmtp)


async def serve_until(stop: asyncio.Event, listener: socket.socket, *, is_lmtp: bool) -> None:
    """Accept mail until `stop` is set."""
    loop = asyncio.get_running_loop()
    listener.setblocking(False)
    make = protocol(is_lmtp=is_lmtp)
    if listener.family == socket.AF_UNIX:
        server: asyncio.AbstractServer = await loop.create_unix_server(make, sock=listener)
    else:
        server = await loop.create_server(make, sock=listener)
    await stop.wait()
    server.close()
