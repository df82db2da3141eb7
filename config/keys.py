"""Keys that an installation makes for itself when its environment names none.

They lie in files of their own, never in the database: a dump of the database opens nothing.
"""

import contextlib
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path

from py_vapid import Vapid02


def secret() -> str:
    """384 random bits, as 64 URL-safe characters."""
    return secrets.token_urlsafe(48)


def push_key() -> str:
    """A private key for web push: a number of the curve P-256, 32 bytes in base64url."""
    made = Vapid02()
    made.generate_keys()
    number: int = made.private_key.private_numbers().private_value
    return urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()


def read_or_make(path: Path, make: Callable[[], str] = secret) -> str:
    """The key kept in `path`, made the first time."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_text().strip()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    draft.touch(mode=0o600)
    draft.write_text(make())
    # Web, worker and beat may all start at once: whoever links first has made the key.
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
    return path.read_text().strip()
