"""Header fields, split and unfolded in linear time; defects are not repaired."""

import re
from dataclasses import dataclass

from games.mail.reading.mime.limits import header_end

LINE_BREAK = re.compile(rb"\r?\n")
NAME = re.compile(r"[!-9;-~]+")
MAX_MESSAGE_ID_CHARACTERS = 250
BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True)
class Headers:
    """The header fields in order, with lowercase names and unfolded values.

    `has_bare_cr_or_nul`: the block contains a bare carriage return or a NUL byte. Then the mail
    server that authenticated the message may have split it into other fields than we do.
    """

    fields: tuple[tuple[str, str], ...]
    has_bare_cr_or_nul: bool

    def all(self, name: str) -> list[str]:
        """The values of all fields with this name, topmost first."""
        return [value for field, value in self.fields if field == name]

    def first(self, name: str) -> str:
        """The value of the topmost field with this name; "" if there is none."""
        return next(iter(self.all(name)), "")


def read_headers(raw: bytes) -> Headers:
    """Parse the header block of a message that is within the limits."""
    block = raw[: header_end(raw)]
    fields: list[tuple[str, list[str]]] = []
    for line in LINE_BREAK.split(block):
        text = line.decode("utf-8", "replace")
        if text[:1] in (" ", "\t"):
            if fields:
                fields[-1][1].append(text)
            continue
        name, colon, value = text.partition(":")
        if colon and NAME.fullmatch(name.rstrip(" \t")):
            fields.append((name.rstrip(" \t").lower(), [value]))
    return Headers(
        fields=tuple((name, BLANKS.sub(" ", " ".join(values)).strip()) for name, values in fields),
        has_bare_cr_or_nul=b"\r" in block.replace(b"\r\n", b"") or b"\0" in block,
    )


def message_id(headers: Headers) -> str:
    """The Message-ID as received; "" if it is missing or invalid."""
    value = headers.first("message-id")
    is_good = value.isascii() and value.isprintable() and len(value) <= MAX_MESSAGE_ID_CHARACTERS
    return value if is_good else ""
