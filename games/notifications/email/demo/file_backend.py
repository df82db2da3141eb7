"""E-mail backend that writes each message to a file, where no SMTP server is configured.

Demo mode shows the files as pages.
"""

import os
import re
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import EmailMessage

BATCH_FILES = 500
# The names written below; the draft of a killed process begins with a dot.
NAME = re.compile(r"\.?([0-9]{19})-[0-9a-f]{8}(?:\.eml)?")


class EmailBackend(BaseEmailBackend):
    """Writes each message as `<nanoseconds>-<random>.eml` in EMAIL_FILE_PATH, sorted by time."""

    def __init__(self, fail_silently: bool = False, **_: Any) -> None:
        super().__init__(fail_silently=fail_silently)
        self.folder = Path(settings.EMAIL_FILE_PATH)

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write each message to a file, atomically. Returns the number of messages."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            name = f"{time.time_ns()}-{secrets.token_hex(4)}"
            draft = self.folder / f".{name}"
            draft.write_bytes(message.message().as_bytes().replace(b"\n", b"\r\n"))
            draft.rename(self.folder / f"{name}.eml")
        return len(email_messages)


def delete_old(horizon: datetime) -> Iterator[int]:
    """Delete the files written before `horizon`, batch by batch; yields the size of each batch."""
    before, count = int(horizon.timestamp() * 1e9), 0
    with suppress(FileNotFoundError), os.scandir(settings.EMAIL_FILE_PATH) as files:
        for file in files:
            name = NAME.fullmatch(file.name)
            if name is None or int(name[1]) >= before:
                continue
            with suppress(FileNotFoundError):
                Path(file.path).unlink()
                count += 1
            if count == BATCH_FILES:
                yield count
                count = 0
    if count:
        yield count
