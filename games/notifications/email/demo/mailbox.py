"""Demo mailbox: reads e-mails from the files of the e-mail backend.

A name from a URL must have the form of these files' names, so it cannot lead to another file.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from django.conf import settings

MAX_EMAILS = 50  # in the list
PEEK_CHARACTERS = 120  # shown of each e-mail in the list

NAME = re.compile(r"[0-9]{1,20}-[0-9a-f]{8}")


class NoSuchEmail(LookupError):  # noqa: N818 - nothing went wrong.
    """There is no e-mail with this name."""


@dataclass(frozen=True)
class Found:
    """An e-mail in the mailbox."""

    name: str
    message: EmailMessage

    @property
    def at(self) -> datetime:
        date: datetime = self.message["Date"].datetime
        return date

    @property
    def headers(self) -> list[tuple[str, str]]:
        return [(name, str(value)) for name, value in self.message.items()]

    @property
    def answerable(self) -> bool:
        """Whether it has a reply address."""
        return "Reply-To" in self.message

    @property
    def text(self) -> str:
        return self._part("plain")

    @property
    def html(self) -> str:
        return self._part("html")

    @property
    def peek(self) -> str:
        return " ".join(self.text.split())[:PEEK_CHARACTERS]

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return "" if part is None else part.get_content()


def newest() -> list[Found]:
    """The newest e-mails, newest first."""
    names = (path.stem for path in _folder().glob("*.eml") if NAME.fullmatch(path.stem))
    return [find(name) for name in sorted(names, key=_age, reverse=True)[:MAX_EMAILS]]


def find(name: str) -> Found:
    """The e-mail with this name; raises NoSuchEmail."""
    if not NAME.fullmatch(name):
        raise NoSuchEmail(name)
    try:
        written = (_folder() / f"{name}.eml").read_bytes()
    except FileNotFoundError:
        raise NoSuchEmail(name) from None
    return Found(name, message_from_bytes(written, policy=policy.default))


def _age(name: str) -> int:
    return int(name.partition("-")[0])


def _folder() -> Path:
    return Path(settings.EMAIL_FILE_PATH)
