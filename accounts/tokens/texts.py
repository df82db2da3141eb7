"""The text of a token: `estafette_`, 32 random characters, and 6 characters of a checksum.

Scanners of published code find it by its form, and a mistyped one costs no query.
"""

import re
import secrets
import string
from hashlib import sha256
from zlib import crc32

PREFIX = "estafette_"
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
RANDOM_CHARACTERS = 32  # 190 bits
CHECKSUM_CHARACTERS = 6  # of CRC-32 in base 62

_FORM = re.compile(rf"{PREFIX}[0-9A-Za-z]{{{RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}}")


def new() -> str:
    """The text of a new token."""
    body = PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_CHARACTERS))
    return body + checksum(body)


def checksum(body: str) -> str:
    """The last 6 characters of a token, from all before them (ASCII)."""
    number, digits = crc32(body.encode()), ""
    for _ in range(CHECKSUM_CHARACTERS):
        number, digit = divmod(number, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits


def is_well_formed(text: str) -> bool:
    """Whether a text has the form of a token and its checksum is right."""
    body = text[:-CHECKSUM_CHARACTERS]
    return bool(_FORM.fullmatch(text)) and checksum(body) == text[-CHECKSUM_CHARACTERS:]


def digest(text: str) -> bytes:
    """The SHA-256 that is stored; a text of 190 random bits needs no slow hash."""
    return sha256(text.encode()).digest()
