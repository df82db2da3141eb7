"""A letter as it travels: headers of one line each, and two parts, of which all is ASCII.

A server that had to rewrite a sign of it would break its signature.
"""

from collections.abc import Mapping
from email.charset import QP, Charset
from hashlib import sha256
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import forbid_multi_line_headers

QUOTED = Charset("utf-8")
QUOTED.body_encoding = QP
LINE = 998  # signs, at most (RFC 5322)


class Written:
    """A letter written out, with what mail backends ask of a message.

    Python's own writer is made for every kind of message, and takes ten times as long.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def as_bytes(self, unixfrom: bool = False, linesep: str = "\n") -> bytes:
        return self._text.replace("\n", linesep).encode("ascii")

    def as_string(self, unixfrom: bool = False, linesep: str = "\n") -> str:
        return self._text.replace("\n", linesep)

    def get_charset(self) -> None:
        """Each part has its own."""


class Letter(EmailMultiAlternatives):
    """A message that is the same to the last byte however often it is written out."""

    def message(self, **options: Any) -> Any:
        boundary = f"={sha256(self.extra_headers['Message-ID'].encode()).hexdigest()[:32]}="
        headers = {
            "Content-Type": f'multipart/alternative; boundary="{boundary}"',
            "MIME-Version": "1.0",
            "Subject": self.subject,
            "From": self.from_email,
            "To": ", ".join(self.to),
            **self.extra_headers,
        }
        text, (html, _) = self.body, self.alternatives[0]
        between = f"\n--{boundary}"
        parts = [_headers(headers), _part("plain", str(text)), _part("html", str(html))]
        return Written(f"{between}\n".join(parts) + f"{between}--\n")


def _part(kind: str, content: str) -> str:
    plain = content.isascii() and max(map(len, content.split("\n"))) <= LINE
    headers = {
        "Content-Type": f'text/{kind}; charset="utf-8"',
        "MIME-Version": "1.0",
        "Content-Transfer-Encoding": "7bit" if plain else "quoted-printable",
    }
    return f"{_headers(headers)}\n{content if plain else QUOTED.body_encode(content.encode())}"


def _headers(headers: Mapping[str, str]) -> str:
    return "".join(f"{name}: {_value(name, value)}\n" for name, value in headers.items())


def _value(name: str, value: str) -> str:
    """On one line: mail programs have missed an address on the second."""
    if value.isascii() and value.isprintable():
        return value
    # What is encoded may be folded; the blank after each fold stays.
    return forbid_multi_line_headers(name, value, "utf-8")[1].replace("\n", "")
