"""IMAP polling: takes mail in from one mailbox with addresses behind a plus, without a server.

The recipient stands in the one header that whoever runs the service has named, above the first
Received: beneath it anybody may have written it. What was taken in is marked as seen; what has no
recipient of ours is marked as flagged too, for a person.
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
from games.mail.arrival import LONGEST_WAIT, head_of
from lib.db_clock import now

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 30.0
SHARE_SECONDS = 30.0  # of a run; the worker has other tasks
MAX_MESSAGES = 200  # of a run
SEEN, FLAGGED = r"\Seen", r"\Flagged"
RECEIVED = re.compile(rb"(?im)^Received:")
SIZE = re.compile(rb"RFC822\.SIZE (\d+)")


class ImapAway(Exception):  # noqa: N818 - try again later.
    """The mailbox cannot be had; the text names the kind of error alone."""


class Fetched(NamedTuple):
    """How many messages were stored, and how many were none of ours."""

    stored: int = 0
    others: int = 0


def fetch() -> Fetched:
    """Take in what is unseen; raises ImapAway. What cannot be stored is there the next time."""
    try:
        with _mailbox() as mailbox:
            return _fetch(mailbox)
    except (OSError, imaplib.IMAP4.error, ImapToolsError) as error:
        raise ImapAway(type(error).__name__) from None


def _mailbox() -> BaseMailBox:
    parts = urlsplit(settings.MAIL_IMAP)
    host, port = parts.hostname or "", parts.port
    mailbox: BaseMailBox
    if parts.scheme == "imaps":
        # Without a context of ours, imaplib would take any certificate.
        checked = ssl.create_default_context()
        mailbox = MailBox(host, port or 993, timeout=TIMEOUT_SECONDS, ssl_context=checked)
    else:
        mailbox = MailBoxUnencrypted(host, port or 143, timeout=TIMEOUT_SECONDS)
    folder = unquote(parts.path.strip("/")) or "INBOX"
    mailbox.login(unquote(parts.username or ""), unquote(parts.password or ""), folder)
    return mailbox


def _fetch(mailbox: BaseMailBox) -> Fetched:
    until, stored, others = time.monotonic() + SHARE_SECONDS, 0, 0
    for uid in mailbox.uids("UNSEEN")[:MAX_MESSAGES]:
        if time.monotonic() > until:
            break
        is_ours = _take(mailbox, uid)
        if is_ours is None:
            continue
        mailbox.flag(uid, [SEEN] if is_ours else [SEEN, FLAGGED], True)
        stored, others = stored + is_ours, others + (not is_ours)
    return Fetched(stored, others)


def _take(mailbox: BaseMailBox, uid: str) -> bool | None:
    """Store one message; whether it is ours, and None if it could not be stored."""
    size = SIZE.search(b" ".join(_parts(mailbox, uid, "RFC822.SIZE")))
    if size is None or int(size[1]) > settings.MAIL_MAX_BYTES:
        return False
    told = list(_parts(mailbox, uid, "INTERNALDATE BODY.PEEK[]"))
    if len(told) < 2:
        return False
    raw = told[1]
    recipient = header(raw, settings.MAIL_IMAP_HEADER)
    if not recipient:
        return False
    try:
        intake.take(raw, recipient, header(raw, "Return-Path"), _arrived(b" ".join(told[::2])))
    except (intake.NotOurs, intake.TooLarge):
        return False
    except Exception as error:
        # Its words may quote the message. The others are not to wait for this one.
        log.error("A message was not stored (%s).", type(error).__name__)
        return None
    return True


def _parts(mailbox: BaseMailBox, uid: str, items: str) -> Iterator[bytes]:
    """What the server says of a message; the library's own would parse it."""
    _word, told = mailbox.client.uid("fetch", uid, f"({items})")
    for part in told or []:
        yield from part if isinstance(part, tuple) else [part or b""]


def header(raw: bytes, name: str) -> str | None:
    """The field that the last machine wrote: the first of that name, above all Received."""
    above = RECEIVED.split(head_of(raw), maxsplit=1)[0]
    found = field_called(name).search(above)
    return None if found is None else found[1].decode("ascii", "replace").strip()


def field_called(name: str) -> re.Pattern[bytes]:
    """The pattern that finds a header field and its value."""
    return re.compile(rb"(?im)^%b:([^\r\n]*)" % re.escape(name.encode()))


def _arrived(told: bytes) -> datetime | None:
    """When the mailbox had it, by the clock of its server; five days back at most."""
    read = imaplib.Internaldate2tuple(told)
    if read is None:
        return None
    return max(datetime.fromtimestamp(time.mktime(read), UTC), now() - LONGEST_WAIT)
