"""Listener: takes mail in by LMTP or SMTP, and says 250 when it is stored and not before.

It is meant for the mail server of this installation, or for a newcomer's own machine; never for
port 25. What it is told in an envelope is looked at, what stands in a message is not.
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

log = logging.getLogger(__name__)

THREADS = 4  # that store messages; each has a connection to the database
# RFC 5321 allows 1,000; programs write longer ones, and what they mean is no worse for it.
MAX_LINE_BYTES = 64 * 1024
IDLE_SECONDS = 60.0
MAX_RECIPIENTS = 100

STORED = "250 2.0.0 Stored"
UNKNOWN = "550 5.1.1 No such address here"
TOO_LARGE = "552 5.3.4 Message too large"
LATER = "451 4.3.0 Not stored, try again later"
TOO_MANY = "452 4.5.3 Too many recipients"


class Handler:
    """What becomes of recipients and messages; each message is stored by a thread."""

    def __init__(self, *, is_lmtp: bool) -> None:
        self._is_lmtp = is_lmtp
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")

    async def handle_RCPT(  # noqa: N802 - aiosmtpd names these.
        self, server: SMTP, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if addresses.door_of(addresses.bare(address)) is None:
            return UNKNOWN
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        """One answer a recipient in LMTP; in SMTP one for all, the worst."""
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
    """Store a message for one recipient; the answer to whoever brought it."""
    try:
        close_old_connections()
        intake.take(raw, recipient, sender)
    except intake.NotOurs:
        return UNKNOWN
    except intake.TooLarge:
        return TOO_LARGE
    except Exception as error:
        # Its words may quote the message.
        log.error("A message was not stored (%s).", type(error).__name__)
        connections.close_all()
        return LATER
    finally:
        close_old_connections()
    return STORED


class _Limits:
    """What both protocols have in common; the class of aiosmtpd comes after it."""

    line_length_limit = MAX_LINE_BYTES


class SmtpServer(_Limits, SMTP):
    """SMTP, for a newcomer's own machine."""


class LmtpServer(_Limits, LMTP):
    """LMTP, which answers each recipient by itself, also where the library answers once."""

    async def push(self, status: Any) -> None:
        recipients = len(self.envelope.rcpt_tos) if self.envelope else 0
        once = isinstance(status, str) and status.startswith(("552 Error", "500 Line"))
        if once and recipients > 1:
            status = "\r\n".join([status] * recipients)
        await super().push(status)


def protocol(*, is_lmtp: bool) -> Any:
    """The factory of a protocol for each connection."""
    # It would write addresses and every line of a message.
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
    """Take mail in at a socket that is listening, until a SIGTERM or SIGINT."""
    asyncio.run(_serve(listener, is_lmtp=is_lmtp))


async def _serve(listener: socket.socket, *, is_lmtp: bool) -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await serve_until(stop, listener, is_lmtp=is_lmtp)


async def serve_until(stop: asyncio.Event, listener: socket.socket, *, is_lmtp: bool) -> None:
    """Take mail in until somebody says stop."""
    loop = asyncio.get_running_loop()
    listener.setblocking(False)
    make = protocol(is_lmtp=is_lmtp)
    if listener.family == socket.AF_UNIX:
        server: asyncio.AbstractServer = await loop.create_unix_server(make, sock=listener)
    else:
        server = await loop.create_server(make, sock=listener)
    await stop.wait()
    server.close()
