"""Bells between the processes of one machine: who publishes rings, who waits for messages wakes.

Each reader hangs up a named pipe in VAR_DIR/bells. Nothing but speed depends on them: a reader
looks every other second anyway.
"""

import contextlib
import errno
import os
import secrets
import select
from pathlib import Path

from django.conf import settings


def _folder() -> Path:
    return Path(settings.VAR_DIR) / "bells"


def ring() -> None:
    """Wake everybody who waits."""
    for path in _folder().glob("[!.]*"):
        # A bell full of rings will do, and one that is just being taken down needs none.
        with contextlib.suppress(OSError):
            _pull(path)


def _pull(path: Path) -> None:
    try:
        pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        # Whoever hung it up has died.
        if error.errno == errno.ENXIO:
            path.unlink()
        return
    try:
        os.write(pipe, b"!")
    finally:
        os.close(pipe)


class Bell:
    """The hearing end."""

    def __init__(self) -> None:
        _folder().mkdir(exist_ok=True)
        name = secrets.token_hex(8)
        draft = _folder() / f".{name}"
        os.mkfifo(draft, 0o600)
        # Held open for writing as well, it never comes to its end between two rings. Only then is
        # it shown, or somebody might take it down as one that nobody hears.
        self._pipe = os.open(draft, os.O_RDWR | os.O_NONBLOCK)
        self._path = draft.rename(_folder() / name)

    def wait(self, seconds: float) -> None:
        """Return at the next ring, or one that was not heard yet, or after so long."""
        if select.select([self._pipe], [], [], seconds)[0]:
            os.read(self._pipe, 4096)

    def close(self) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._pipe)
