"""MIME encoding of e-mails: each header on one line, and ASCII only.

Re-encoding by a mail server would break the DKIM signature.
"""

from email.charset import QP, Charset
from email.policy import Compat32
from hashlib import sha256
from typing import Any

from django.core.mail import EmailMultiAlternatives

QUOTED = Charset("utf-8")
QUOTED.body_encoding = QP


class Unfolded(Compat32):
    """A policy without folded headers: some mail programs miss an address on the second line."""

    def fold_binary(self, name: str, value: Any) -> bytes:
        # Django may have folded encoded headers; the blank after each fold stays.
        return f"{name}: {value}".replace("\n", "").encode("ascii") + self.linesep.encode()


class Email(EmailMultiAlternatives):
    """A message whose bytes are the same each time it is serialized."""

    language = ""  # of both parts
    witness: Any = None  # the proof that it shows, see composing/witness.py

    def message(self, **options: Any) -> Any:
        attached = (str(content) for _name, content, _type in self.attachments)
        if not (self.body.isascii() and all(map(str.isascii, attached))):
            self.encoding = QUOTED
        message = super().message(**options)
        identity = self.extra_headers["Message-ID"]
        boundary = sha256(identity.encode()).hexdigest()[:32]
        for number, part in enumerate(message.walk()):
            if part.is_multipart():
                part.set_boundary(f"={boundary}{number or ''}=")
            if self.language and not part.is_multipart():
                part["Content-Language"] = self.language
        message.policy = Unfolded()
        return message
