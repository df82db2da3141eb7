"""Arrival of a message: the instant at which the first of our own machines had it.

That is what our own mail server wrote into the topmost Received header, however long the message
waited there for us. Whoever else wrote it is not believed: they could move after their deadline.
"""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from django.conf import settings

LONGEST_WAIT = timedelta(days=5)  # for which mail servers keep what they cannot hand on
MAX_HEADER_BYTES = 64 * 1024
MAX_STAMP_CHARACTERS = 60

BLANK_LINE = re.compile(rb"\r?\n\r?\n")
FOLD = re.compile(rb"\r?\n(?=[ \t])")
RECEIVED = re.compile(rb"(?im)^Received:([^\r\n]*)")
BY = re.compile(rb"(?i)\bby\s+([A-Za-z0-9.-]+)")


def head_of(raw: bytes) -> bytes:
    """The header of a message, each field on one line, as far as it is looked at."""
    head = BLANK_LINE.split(raw[:MAX_HEADER_BYTES], maxsplit=1)[0]
    return FOLD.sub(b"", head)


def arrival(raw: bytes, at: datetime) -> datetime:
    """When a message arrived that is taken in at `at`: never later, and five days back at most."""
    stamp = _stamp(raw) if settings.MAIL_AUTHSERV_ID else None
    return at if stamp is None else min(at, max(stamp, at - LONGEST_WAIT))


def _stamp(raw: bytes) -> datetime | None:
    found = RECEIVED.search(head_of(raw))
    if found is None:
        return None
    # What the client said of itself stands before this, in brackets and names of its choice; the
    # server's own name is the last "by" before the date.
    trace, _, date = found[1].rpartition(b";")
    names = BY.findall(_without_comments(trace))
    if not names or names[-1].decode().lower() != settings.MAIL_AUTHSERV_ID.lower():
        return None
    text = _without_comments(date).decode("ascii", "ignore").strip()
    if len(text) > MAX_STAMP_CHARACTERS:
        return None
    try:
        read = parsedate_to_datetime(text)
        return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _without_comments(field: bytes) -> bytes:
    """A header field without what stands in round brackets, which may be nested."""
    kept, depth = bytearray(), 0
    for byte in field:
        if byte == ord("("):
            depth += 1
        elif byte == ord(")"):
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(byte)
    return bytes(kept)
