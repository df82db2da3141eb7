"""Sealing: AES-256-GCM with SEAL_KEYS, which are not in the database, so that a dump opens nothing.

Each purpose has keys of its own. A sealed text is bound to a context such as its row's key (the
associated data of GCM): moved to another row, it cannot be unsealed.
"""

import secrets
from base64 import b64decode, b64encode
from functools import cache
from hashlib import sha256

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

NONCE_BYTES = 12
KEY_ID_BYTES = 4  # at the start of a sealed text, they say which key it was sealed with


class BrokenSealError(Exception):
    """A text cannot be unsealed: unknown key, other purpose or context, or it was changed."""


@cache
def _keys_by_id(keys: tuple[str, ...], purpose: str) -> dict[bytes, AESGCM]:
    digests = [sha256(f"estafette/{purpose}/{key}".encode()).digest() for key in keys]
    return {sha256(digest).digest()[:KEY_ID_BYTES]: AESGCM(digest) for digest in digests}


def seal(text: str, purpose: str, context: str = "") -> str:
    """Encrypt a text with the first key of SEAL_KEYS; base64 of key id, nonce, ciphertext, tag."""
    key_id, key = next(iter(_keys_by_id(tuple(settings.SEAL_KEYS), purpose).items()))
    nonce = secrets.token_bytes(NONCE_BYTES)
    ciphertext = key.encrypt(nonce, text.encode(), context.encode())
    return b64encode(key_id + nonce + ciphertext).decode()


def unseal(sealed: str, purpose: str, context: str = "") -> str:
    """Decrypt a text sealed with any key of SEAL_KEYS; raises BrokenSealError."""
    try:
        raw = b64decode(sealed, validate=True)
        key = _keys_by_id(tuple(settings.SEAL_KEYS), purpose)[raw[:KEY_ID_BYTES]]
        nonce = raw[KEY_ID_BYTES : KEY_ID_BYTES + NONCE_BYTES]
        ciphertext = raw[KEY_ID_BYTES + NONCE_BYTES :]
        return key.decrypt(nonce, ciphertext, context.encode()).decode()
    except (ValueError, KeyError, InvalidTag):
        raise BrokenSealError(f"No key of SEAL_KEYS opens this text of {purpose}.") from None
