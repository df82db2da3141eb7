"""MIME encoding of e-mails: each header on one line, and ASCII only.

Re-encoding by a mail server would break the DKIM signature.
"""

import re
from email.charset import QP, Charset
from email.generator import BytesGenerator
from email.policy import Compat32
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import Any

from django.core.mail import EmailMultiAlternatives

PLAIN = Charset("utf-8")
PLAIN.body_encoding = None  # type: ignore[assignment]
QUOTED = Charset("utf-8")
QUOTED.body_encoding = QP

MAX_LINE_BYTES = 998  # RFC 5322
LINE_END = re.compile(r"\r\n|\r|\n")


class Unfolded(Compat32):
    """A policy without folded headers: some mail programs miss an address on the second line."""

    def fold_binary(self, name: str, value: Any) -> bytes:
        # Django may have folded encoded headers; the blank after each fold stays.
        return f"{name}: {value}".replace("\n", "").encode("ascii") + self.linesep.encode()


class Generator(BytesGenerator):
    """Writes a part at once; the standard library writes line by line, which takes longer."""

    _NL: str

    def _write_lines(self, lines: str) -> None:
        if lines:
            self.write(LINE_END.sub(self._NL, lines))


class Email(EmailMultiAlternatives):
    """A message whose bytes are the same each time it is serialized."""

    language = ""  # of both parts
    witness: Any = None  # the proof that it shows, see composing/witness.py

    def message(self, **options: Any) -> Any:
        # Django would look at each line of each part.
        self.encoding = PLAIN if all(map(_is_plain, self._texts())) else QUOTED
        message: Any = super().message(**options)
        identity = self.extra_headers["Message-ID"]
        boundary = sha256(identity.encode()).hexdigest()[:32]
        for number, part in enumerate(message.walk()):
            if part.is_multipart():
                part.set_boundary(f"={boundary}{number or ''}=")
            if self.language and not part.is_multipart():
                part["Content-Language"] = self.language
        message.policy = Unfolded()
        message.as_bytes = partial(_as_bytes, message)
        return message

    def _texts(self) -> list[str]:
        return [str(text) for text in (self.body, *(part[1] for part in self.attachments))]


def _is_plain(text: str) -> bool:
    return text.isascii() and max(map(len, text.split("\n"))) <= MAX_LINE_BYTES


def _as_bytes(message: Any, unixfrom: bool = False, linesep: str = "\n") -> bytes:
    file = BytesIO()
    Generator(file, mangle_from_=False).flatten(message, unixfrom=unixfrom, linesep=linesep)
    return file.getvalue()
