"""Keys of the installation: made and kept in files where the environment gives none.

They are never in the database, so that a dump of it opens nothing.
"""

import contextlib
import os
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import SimpleLazyObject
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


def is_push_key(text: str) -> bool:
    """Whether the text is a private key of P-256, in base64url."""
    try:
        if len(urlsafe_b64decode(text + "=" * (-len(text) % 4))) != 32:
            return False
        Vapid02.from_raw(text.encode())
    except ValueError:
        return False
    return True


# By the name of its setting: the file in VAR_DIR that keeps a key, and what makes one.
KEYS = {
    "SECRET_KEY": ("secret_key", secret),
    "SEAL_KEYS": ("seal_key", secret),
    "VAPID_KEY": ("vapid_key", push_key),
}


def read_or_make(path: Path, make: Callable[[], str] = secret) -> str:
    """The key in file `path`, which is made if there is none."""
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


def read(path: Path) -> str:
    """The key in file `path`; ImproperlyConfigured if there is none."""
    try:
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The key in {path} cannot be read: {error.strerror}. `manage.py prepare` makes what is"
            " missing."
        ) from None


def read_later(path: Path) -> str:
    """The key in file `path`, read when it is first used: it may be made until then."""
    return cast(str, SimpleLazyObject(lambda: read(path)))


def insist_on_keys() -> None:
    """Raise ImproperlyConfigured if a key is missing, so that a web server fails at its start."""
    for path in settings.KEY_FILES.values():
        read(path)
