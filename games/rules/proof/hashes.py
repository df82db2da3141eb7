"""Hashes of lines of text: SHA-256 and HMAC-SHA-256, in 64 lower-case hexadecimal digits."""

import hmac
from hashlib import sha256


def digest(text: str) -> str:
    """SHA-256 of a text in UTF-8."""
    return sha256(text.encode()).hexdigest()


def keyed(key: bytes, text: str) -> str:
    """HMAC-SHA-256 of a text in UTF-8."""
    return hmac.digest(key, text.encode(), "sha256").hex()
