"""Sealing: AES-256-GCM encryption of columns with SEAL_KEYS, which are not in the database.

Each purpose has its own keys, derived from SEAL_KEYS. A sealed text is bound to a context, such as
the key of its row, by the associated data of GCM. If it is copied to another row, unsealing fails.
"""

import secrets
from base64 import b64decode, b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

NONCE_BYTES = 12
KEY_ID_BYTES = 4  # at the start of a sealed text: identify its key


class BrokenSealError(Exception):
    """A sealed text has an unknown key, another purpose or context, or changed bytes."""


@cache
def _keys_by_id(keys: tuple[str, ...], purpose: str) -> dict[bytes, AESGCM]:
    digests = [sha256(f"estafette/{purpose}/{key}".encode()).digest() for key in keys]
    return {sha256(digest).digest()[:KEY_ID_BYTES]: AESGCM(digest) for digest in digests}


def seal_bytes(text: str, purpose: str, context: str) -> bytes:
    """Seal a text with the first key of SEAL_KEYS.

    Returns key id, nonce, ciphertext and tag: 32 bytes more than the text.
    """
    key_id, key = next(iter(_keys_by_id(tuple(settings.SEAL_KEYS), purpose).items()))
    nonce = secrets.token_bytes(NONCE_BYTES)
    return key_id + nonce + key.encrypt(nonce, text.encode(), context.encode())


def unseal_bytes(sealed: bytes, purpose: str, context: str) -> str:
    """Unseal with the key of SEAL_KEYS that sealed the text; raises BrokenSealError."""
    key = _keys_by_id(tuple(settings.SEAL_KEYS), purpose).get(sealed[:KEY_ID_BYTES])
    if key is None:
        raise BrokenSealError(f"No key of SEAL_KEYS sealed {context or purpose}.")
    nonce = sealed[KEY_ID_BYTES : KEY_ID_BYTES + NONCE_BYTES]
    ciphertext = sealed[KEY_ID_BYTES + NONCE_BYTES :]
    try:
        return key.decrypt(nonce, ciphertext, context.encode()).decode()
    except (ValueError, InvalidTag):
        raise BrokenSealError(f"What was sealed as {context or purpose} was changed.") from None


def seal(text: str, purpose: str, context: str = "") -> str:
    """Seal a text with the first key of SEAL_KEYS; returns base64."""
    return b64encode(seal_bytes(text, purpose, context)).decode()


def unseal(sealed: str, purpose: str, context: str = "") -> str:
    """Unseal what `seal` returned; raises BrokenSealError."""
    return unseal_bytes(_decode(sealed, purpose, context), purpose, context)


def reseal(sealed: str | bytes | memoryview, purpose: str, context: str = "") -> Any:
    """Seal a sealed text again with the first key of SEAL_KEYS; str for str, bytes otherwise.

    Returns `sealed` itself if it has that key already. Raises BrokenSealError.
    """
    raw = _decode(sealed, purpose, context) if isinstance(sealed, str) else bytes(sealed)
    if raw[:KEY_ID_BYTES] == next(iter(_keys_by_id(tuple(settings.SEAL_KEYS), purpose))):
        return sealed
    text = unseal_bytes(raw, purpose, context)
    return (seal if isinstance(sealed, str) else seal_bytes)(text, purpose, context)


def _decode(sealed: str, purpose: str, context: str) -> bytes:
    try:
        return b64decode(sealed, validate=True)
    except ValueError:
        raise BrokenSealError(f"What was sealed as {context or purpose} was changed.") from None
