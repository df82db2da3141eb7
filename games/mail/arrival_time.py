"""Arrival time of a message: when the first of our own servers received it.

Our own mail server writes it into the topmost Received field, however long it then queues the
message. A date of any other server is ignored: with it players could move after their deadline. So
is one in a message that our mail server did not hand over, where anybody may have written it.
"""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from django.conf import settings

from games.mail.models import FROM_OUR_SERVER, WayIn

MAX_QUEUE_TIME = timedelta(days=5)  # for which mail servers retry delivery
MAX_HEADER_BYTES = 64 * 1024
MAX_DATE_CHARACTERS = 60

BLANK_LINE = re.compile(rb"\r?\n\r?\n")
FOLD = re.compile(rb"\r?\n(?=[ \t])")
RECEIVED = re.compile(rb"(?im)^Received:([^\r\n]*)")
BY = re.compile(rb"(?i)\bby\s+([A-Za-z0-9.-]+)")


def header_block(raw: bytes) -> bytes:
    """The header of a message up to MAX_HEADER_BYTES, unfolded: one line per field."""
    head = BLANK_LINE.split(raw[:MAX_HEADER_BYTES], maxsplit=1)[0]
    return FOLD.sub(b"", head)


def arrival_time(raw: bytes, at: datetime, way_in: WayIn) -> datetime:
    """When a message that is stored at `at` arrived: at most five days earlier."""
    is_dated = bool(settings.MAIL_AUTHSERV_ID) and way_in in FROM_OUR_SERVER
    received = _received_date(raw) if is_dated else None
    return at if received is None else min(at, max(received, at - MAX_QUEUE_TIME))


def _received_date(raw: bytes) -> datetime | None:
    """The date of the topmost Received field, if our own mail server wrote it."""
    received = RECEIVED.search(header_block(raw))
    if received is None:
        return None
    # The client chooses its name and comments, which come first; the server's own name is the last
    # "by" before the date.
    trace, _, date = received[1].rpartition(b";")
    names = BY.findall(_without_comments(trace))
    if not names or names[-1].decode().lower() != settings.MAIL_AUTHSERV_ID.lower():
        return None
    text = _without_comments(date).decode("ascii", "ignore").strip()
    if len(text) > MAX_DATE_CHARACTERS:
        return None
    try:
        read = parsedate_to_datetime(text)
        return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _without_comments(field: bytes) -> bytes:
    """A field value without comments in parentheses, which may be nested."""
    kept, depth = bytearray(), 0
    for byte in field:
        if byte == ord("("):
            depth += 1
        elif byte == ord(")"):
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(byte)
    return bytes(kept)
