"""Passwords in one Unicode form: keyboards compose the same characters in different ways."""

import unicodedata


def normalized(password: str) -> str:
    """The password as it is hashed, in NFKC."""
    return unicodedata.normalize("NFKC", password)


def forms(password: str) -> list[str]:
    """The texts to compare with a hash: the normalized password, and for older hashes the typed."""
    return list(dict.fromkeys((normalized(password), password)))
