"""IMAP polling: fetches mail from one mailbox that receives all plus-addresses.

The recipient is read from the header field named in MAIL_IMAP_HEADER, above the first Received:
below it, anybody may have written it. Stored messages are marked as seen; messages without a
recipient of this service are also flagged, for an administrator.
"""

from __future__ import annotations

import imaplib
import logging
import re
import ssl
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from django.conf import settings
from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from games.mail import intake
from games.mail.arrival_time import MAX_QUEUE_TIME, header_block
from games.mail.models import WayIn
from lib.db_clock import now

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 30.0
MAX_RUN_SECONDS = 30.0  # the Celery worker has other tasks
MAX_MESSAGES = 200  # per run
SEEN, FLAGGED = r"\Seen", r"\Flagged"
RECEIVED = re.compile(rb"(?im)^Received:")
SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class ImapUnavailable(Exception):  # noqa: N818
    """The mailbox is unavailable, temporarily; the text is only the type of the error."""


class Fetched(NamedTuple):
    """Numbers of stored messages and of messages that are not for this service."""

    stored: int = 0
    not_ours: int = 0


def fetch() -> Fetched:
    """Fetch unseen messages; raises ImapUnavailable. A message that is not stored stays unseen."""
    try:
        with _mailbox() as mailbox:
            return _fetch(mailbox)
    except (OSError, imaplib.IMAP4.error, ImapToolsError) as error:
        raise ImapUnavailable(type(error).__name__) from None


def _mailbox() -> BaseMailBox:
    parts = urlsplit(settings.MAIL_IMAP)
    host, port = parts.hostname or "", parts.port
    mailbox: BaseMailBox
    if parts.scheme == "imaps":
        # Without an SSL context imaplib does not verify certificates.
        context = ssl.create_default_context()
        mailbox = MailBox(host, port or 993, timeout=TIMEOUT_SECONDS, ssl_context=context)
    else:
        mailbox = MailBoxUnencrypted(host, port or 143, timeout=TIMEOUT_SECONDS)
    folder = unquote(parts.path.strip("/")) or "INBOX"
    mailbox.login(unquote(parts.username or ""), unquote(parts.password or ""), folder)
    return mailbox


def _fetch(mailbox: BaseMailBox) -> Fetched:
    until, stored, not_ours = time.monotonic() + MAX_RUN_SECONDS, 0, 0
    for uid in mailbox.uids("UNSEEN")[:MAX_MESSAGES]:
        if time.monotonic() > until:
            break
        is_ours = _take(mailbox, uid)
        if is_ours is None:
            continue
        mailbox.flag(uid, [SEEN] if is_ours else [SEEN, FLAGGED], True)
        stored, not_ours = stored + is_ours, not_ours + (not is_ours)
    return Fetched(stored, not_ours)


def _take(mailbox: BaseMailBox, uid: str) -> bool | None:
    """Store one message; whether it is for this service, None if it could not be stored."""
    size = SIZE.search(b" ".join(_parts(mailbox, uid, "RFC822.SIZE")))
    if size is None or int(size[1]) > settings.MAIL_MAX_BYTES:
        return False
    parts = list(_parts(mailbox, uid, "INTERNALDATE BODY.PEEK[]"))
    if len(parts) < 2:
        return False
    raw = parts[1]
    recipient = trusted_field(raw, settings.MAIL_IMAP_HEADER)
    if not recipient:
        return False
    try:
        intake.store_message(
            raw,
            recipient,
            trusted_field(raw, "Return-Path"),
            _arrived(b" ".join(parts[::2])),
            way_in=WayIn.IMAP,
        )
    except (intake.UnknownRecipient, intake.MessageTooLarge):
        return False
    except Exception as error:
        # The exception text may quote the message. Other messages must not wait for this one.
        log.error("A message was not stored (%s).", type(error).__name__)
        return None
    return True


def _parts(mailbox: BaseMailBox, uid: str, items: str) -> Iterator[bytes]:
    """The parts of a FETCH response; the library's own method would parse the message."""
    _status, response = mailbox.client.uid("fetch", uid, f"({items})")
    for part in response or []:
        yield from part if isinstance(part, tuple) else [part or b""]


def trusted_field(raw: bytes, name: str) -> str | None:
    """The value of the topmost field of this name above the first Received; else None."""
    above = RECEIVED.split(header_block(raw), maxsplit=1)[0]
    match = field_pattern(name).search(above)
    return None if match is None else match[1].decode("ascii", "replace").strip()


def field_pattern(name: str) -> re.Pattern[bytes]:
    """The pattern that finds a header field and its value."""
    return re.compile(rb"(?im)^%b:([^\r\n]*)" % re.escape(name.encode()))


def _arrived(response: bytes) -> datetime | None:
    """The INTERNALDATE of the message, at most five days ago."""
    internal_date = imaplib.Internaldate2tuple(response)
    if internal_date is None:
        return None
    return max(datetime.fromtimestamp(time.mktime(internal_date), UTC), now() - MAX_QUEUE_TIME)
