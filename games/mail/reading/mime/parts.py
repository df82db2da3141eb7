"""MIME parts: the inline text/plain and text/html parts of a message, decoded."""

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import Message
from typing import cast

from games.mail.reading.mime.charsets import decoded
from games.mail.reading.mime.limits import MAX_DEPTH, MAX_PARTS, TOO_DEEP, TOO_MANY_PARTS

MAX_HTML_HEAD_BYTES = 4 * 1024
# HTML may declare its charset where the header does not.
META_CHARSET = re.compile(rb"(?i)<meta\s[^<>]{0,100}?charset=[\"']?([a-z0-9_-]{3,40})")
# Decoded of a part, and of all parts together; what a person writes comes before that.
MAX_TEXT_BYTES = 256 * 1024
MAX_TEXTS_BYTES = 512 * 1024


@dataclass(frozen=True)
class Parts:
    """The plain and HTML texts in order; `content_types` leave out parts of attached messages."""

    problem: str = ""
    texts: tuple[str, ...] = ()
    html_texts: tuple[str, ...] = ()
    content_types: frozenset[str] = frozenset()


def read_parts(raw: bytes) -> Parts:
    """Split a message that is within the limits of limits.py."""
    # compat32 leaves header fields unparsed; newer policies parse each, which can take minutes.
    message = message_from_bytes(raw, policy=policy.compat32)
    texts: list[str] = []
    html_texts: list[str] = []
    content_types = set()
    leaves, left = 0, MAX_TEXTS_BYTES
    waiting: list[tuple[Message, int, bool]] = [(message, 0, True)]
    while waiting:
        part, depth, is_own = waiting.pop()
        if depth > MAX_DEPTH:
            return Parts(problem=TOO_DEEP)
        kind = part.get_content_type()
        if is_own:
            content_types.add(kind)
        # get_payload() of a text part would decode with whatever codec the part names.
        if part.is_multipart():
            # Parts of an attached message only count towards the limits.
            inside = is_own and not kind.startswith("message/")
            waiting += [
                (child, depth + 1, inside)
                for child in reversed(cast("list[object]", part.get_payload()))
                if isinstance(child, Message)
            ]
            continue
        leaves += 1
        if leaves > MAX_PARTS:
            return Parts(problem=TOO_MANY_PARTS)
        if is_own and kind in ("text/plain", "text/html") and not _is_attached(part):
            content = _content(part)[:left]
            left -= len(content)
            (texts if kind == "text/plain" else html_texts).append(_text(part, content))
    return Parts("", tuple(texts), tuple(html_texts), frozenset(content_types))


def _is_attached(part: Message) -> bool:
    disposition = str(part.get("Content-Disposition", "")).lower()
    return "attachment" in disposition or "filename" in disposition


def _content(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload[:MAX_TEXT_BYTES] if isinstance(payload, bytes) else b""


def _text(part: Message, content: bytes) -> str:
    charset = _charset(part)
    if not charset and (named := META_CHARSET.search(content[:MAX_HTML_HEAD_BYTES])):
        charset = named[1].decode("ascii")
    return decoded(content, charset or "us-ascii")


def _charset(part: Message) -> str:
    """The charset in the part's header; "" if there is none."""
    try:
        charset = part.get_param("charset", "")
    except TypeError:  # mixed numbered and unnumbered parameters (RFC 2231)
        return "us-ascii"
    # RFC 2231: the charset of the charset, its language, its value.
    return str(charset[2] if isinstance(charset, tuple) else charset)
