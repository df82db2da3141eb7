"""Sealing: AES-256-GCM with keys that are not in the database, so that a dump of it opens nothing.

Every seal is bound to a place ("ply/17/3"): moved to another row, a sealed value does not open.
"""

import secrets
from functools import cache
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

NONCE = 12  # bytes
MARK = 4  # bytes that tell which key sealed a value


class BrokenSealError(Exception):
    """A sealed value does not open: another key, another place, or somebody changed it."""


@cache
def _ring(keys: tuple[str, ...]) -> dict[bytes, AESGCM]:
    digests = [sha256(b"estafette/seal/" + key.encode()).digest() for key in keys]
    return {sha256(digest).digest()[:MARK]: AESGCM(digest) for digest in digests}


def seal(text: str, place: str) -> bytes:
    """Bytes to store: mark, nonce, ciphertext and tag; 32 more than the text."""
    mark, key = next(iter(_ring(tuple(settings.SEAL_KEYS)).items()))
    nonce = secrets.token_bytes(NONCE)
    return mark + nonce + key.encrypt(nonce, text.encode(), place.encode())


def unseal(sealed: bytes | memoryview, place: str) -> str:
    """The text that `seal` was given for this place; raises BrokenSealError."""
    sealed = bytes(sealed)
    key = _ring(tuple(settings.SEAL_KEYS)).get(sealed[:MARK])
    if key is None:
        raise BrokenSealError(f"No key of SEAL_KEYS sealed {place}.")
    try:
        nonce, ciphertext = sealed[MARK : MARK + NONCE], sealed[MARK + NONCE :]
        return key.decrypt(nonce, ciphertext, place.encode()).decode()
    except InvalidTag:
        raise BrokenSealError(f"What was sealed as {place} has been changed.") from None
