"""Sealing: AES-256-GCM with keys that are not in the database, so that a dump reveals nothing.

A sealed value is bound to a context such as "ply/17/3" (the associated data of GCM): moved to
another row, it cannot be unsealed.
"""

import secrets
from functools import cache
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

NONCE_BYTES = 12
KEY_ID_BYTES = 4  # at the start of a sealed value, they say which key it was sealed with


class BrokenSealError(Exception):
    """A value cannot be unsealed: unknown key, other context, or the value was changed."""


@cache
def _keys_by_id(keys: tuple[str, ...]) -> dict[bytes, AESGCM]:
    digests = [sha256(b"estafette/seal/" + key.encode()).digest() for key in keys]
    return {sha256(digest).digest()[:KEY_ID_BYTES]: AESGCM(digest) for digest in digests}


def seal(text: str, context: str) -> bytes:
    """Encrypt a text for a context: key id, nonce, ciphertext and tag; 32 bytes more than the text.

    The first key of SEAL_KEYS is used.
    """
    key_id, key = next(iter(_keys_by_id(tuple(settings.SEAL_KEYS)).items()))
    nonce = secrets.token_bytes(NONCE_BYTES)
    return key_id + nonce + key.encrypt(nonce, text.encode(), context.encode())


def is_current(sealed: bytes | memoryview) -> bool:
    """Whether this was sealed with the first key of SEAL_KEYS."""
    return bytes(sealed[:KEY_ID_BYTES]) == next(iter(_keys_by_id(tuple(settings.SEAL_KEYS))))


def reseal(sealed: bytes | memoryview, context: str) -> bytes:
    """The same text sealed with the first key of SEAL_KEYS; raises BrokenSealError."""
    return seal(unseal(sealed, context), context)


def unseal(sealed: bytes | memoryview, context: str) -> str:
    """Decrypt a value sealed with any key of SEAL_KEYS for this context; raises BrokenSealError."""
    sealed = bytes(sealed)
    key = _keys_by_id(tuple(settings.SEAL_KEYS)).get(sealed[:KEY_ID_BYTES])
    if key is None:
        raise BrokenSealError(f"No key of SEAL_KEYS sealed {context}.")
    try:
        nonce, ciphertext = (
            sealed[KEY_ID_BYTES : KEY_ID_BYTES + NONCE_BYTES],
            sealed[KEY_ID_BYTES + NONCE_BYTES :],
        )
        return key.decrypt(nonce, ciphertext, context.encode()).decode()
    except InvalidTag:
        raise BrokenSealError(f"What was sealed as {context} has been changed.") from None
