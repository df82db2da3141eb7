"""Passwords in one Unicode form: keyboards compose the same characters in different ways."""

import unicodedata


def normalized(password: str) -> str:
    """The password as it is hashed, in NFKC."""
    return unicodedata.normalize("NFKC", password)


def forms(password: str) -> list[str]:
    """What a hash may be of: the normalized password, or in an older hash what was typed."""
    return list(dict.fromkeys((normalized(password), password)))
