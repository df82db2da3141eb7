"""Header fields, split and unfolded in linear time; defects are not repaired."""

import re
from dataclasses import dataclass

from games.mail.reading.mime.limits import header_end

LINE_BREAK = re.compile(rb"\r?\n")
NAME = re.compile(rb"[!-9;-~]+")
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
    return Headers(
        fields=tuple(map(_unfolded, _fields(block))),
        has_bare_cr_or_nul=b"\r" in block.replace(b"\r\n", b"") or b"\0" in block,
    )


def with_known_fields(raw: bytes) -> bytes:
    """The message with a header of the fields that `read_headers` finds, and nothing else.

    Python's parser takes a line that is no field for the end of the header, and all below it, with
    the encoding of the text, for text.
    """
    end = header_end(raw)
    if end in (0, len(raw)):
        return raw
    # A bare carriage return would end a line there, but not here.
    lines = (
        name + b":" + b"\n".join(value.replace(b"\r", b" ") for value in values)
        for name, values in _fields(raw[:end])
    )
    return b"\n".join(lines) + raw[end:]


def _fields(block: bytes) -> list[tuple[bytes, list[bytes]]]:
    """The fields of a header block: a name, and the lines of the value."""
    fields: list[tuple[bytes, list[bytes]]] = []
    for line in LINE_BREAK.split(block):
        if line[:1] in (b" ", b"\t"):
            if fields:
                fields[-1][1].append(line)
            continue
        name, colon, value = line.partition(b":")
        if colon and NAME.fullmatch(name.rstrip(b" \t")):
            fields.append((name.rstrip(b" \t"), [value]))
    return fields


def _unfolded(field: tuple[bytes, list[bytes]]) -> tuple[str, str]:
    name, values = field
    value = " ".join(line.decode("utf-8", "replace") for line in values)
    return name.decode("ascii").lower(), BLANKS.sub(" ", value).strip()


def message_id(headers: Headers) -> str:
    """The Message-ID as received; "" if it is missing or invalid."""
    value = headers.first("message-id")
    is_good = value.isascii() and value.isprintable() and len(value) <= MAX_MESSAGE_ID_CHARACTERS
    return value if is_good else ""
