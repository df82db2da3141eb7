"""Limits of a message, checked on the raw bytes before parsing.

Python's parser takes minutes, or overflows its stack, on some messages of less than 1 MiB: many
parts, deep nesting, long parameters. The counts here are upper bounds of what it would find.
"""

import re

MAX_MESSAGE_BYTES = 1024 * 1024
MAX_HEADER_BYTES = 64 * 1024  # Office 365 writes more than 16 KiB
MAX_DEPTH = 5
MAX_PARTS = 20
# Every MIME boundary begins with dashes, and so do lines that people write.
MAX_DASHED_LINES = 400
# Each may nest another one, and each nested parser looks at every line. Enough for depth 5 with a
# few attachments.
MAX_CONTAINERS = 12
MAX_CONTENT_TYPE_BYTES = 4_000

TOO_LARGE, TOO_DEEP, TOO_MANY_PARTS = "too large", "too deep", "too many parts"
HEADER_TOO_LARGE, BROKEN = "header too large", "broken"

BLANK_LINE = re.compile(rb"\r?\n\r?\n")
CONTAINER = re.compile(rb"(?im)^content-type[ \t]*:\s*(?:multipart|message)/")
CONTENT_TYPE = re.compile(rb"(?im)^content-(?:type|disposition|transfer-encoding)[ \t]*:")
NEXT_FIELD = re.compile(rb"(?:\r?\n|\r(?!\n))(?![ \t])")


def header_end(raw: bytes) -> int:
    """Offset of the end of the header block."""
    if raw.startswith((b"\n", b"\r\n")):
        return 0
    blank = BLANK_LINE.search(raw, 0, MAX_HEADER_BYTES + 4)
    return blank.start() if blank else len(raw)


def find_problem(raw: bytes, max_bytes: int = MAX_MESSAGE_BYTES) -> str:
    """The limit that the message exceeds; "" if none."""
    if len(raw) > max_bytes:
        return TOO_LARGE
    if header_end(raw) > MAX_HEADER_BYTES:
        return HEADER_TOO_LARGE
    if raw.count(b"\n--") + raw.count(b"\r--") > MAX_DASHED_LINES:
        return TOO_MANY_PARTS
    if sum(1 for _ in CONTAINER.finditer(raw)) > MAX_CONTAINERS:
        return TOO_DEEP
    for field in CONTENT_TYPE.finditer(raw):
        limit = min(field.end() + MAX_CONTENT_TYPE_BYTES, len(raw))
        end = NEXT_FIELD.search(raw, field.end(), limit)
        # A match that ends at the limit of the search may continue after it.
        if limit < len(raw) and not (end and end.end() < limit):
            return HEADER_TOO_LARGE
    return ""
