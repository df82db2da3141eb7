"""Key files: keys that the environment does not give are created and kept in VAR_DIR.

Keys are never in the database, so a dump of it cannot be decrypted.
"""

import contextlib
import os
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import cast

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import SimpleLazyObject
from py_vapid import Vapid02

PROOF_KEY = re.compile("[0-9a-f]{64}")


def secret() -> str:
    """384 random bits, as 64 URL-safe characters."""
    return secrets.token_urlsafe(48)


def push_key() -> str:
    """A private P-256 key for web push: 32 bytes in base64url."""
    vapid = Vapid02()
    vapid.generate_keys()
    number: int = vapid.private_key.private_numbers().private_value
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


def proof_key() -> str:
    """A private Ed25519 key for proofs: 32 bytes in hexadecimal."""
    return secrets.token_hex(32)


def is_proof_key(text: str) -> bool:
    """Whether the text is a private key of Ed25519: 64 lower-case hexadecimal digits."""
    return PROOF_KEY.fullmatch(text) is not None


# By the name of the setting: the key's file in VAR_DIR, and the function that creates a key.
KEYS = {
    "SECRET_KEY": ("secret_key", secret),
    "SEAL_KEYS": ("seal_key", secret),
    "VAPID_KEY": ("vapid_key", push_key),
    "PROOF_KEYS": ("proof_key", proof_key),
}


def read_or_make(path: Path, make: Callable[[], str] = secret) -> str:
    """The key in file `path`, which is created if it is missing."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_text().strip()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    draft.touch(mode=0o600)
    draft.write_text(make())
    # Web, worker and beat may start at the same time: the first to link has created the key.
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
    return path.read_text().strip()


def read(path: Path) -> str:
    """The key in file `path`; raises ImproperlyConfigured if it cannot be read."""
    try:
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"The key in {path} cannot be read: {error.strerror}. `manage.py prepare` creates"
            " missing keys."
        ) from None


def read_later(path: Path) -> str:
    """The key in file `path`, read at its first use, so that it may be created until then."""
    return cast(str, SimpleLazyObject(lambda: read(path)))


def require_keys() -> None:
    """Raise ImproperlyConfigured if a key is missing, so that a web server fails at start."""
    for path in settings.KEY_FILES.values():
        read(path)
