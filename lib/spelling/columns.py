"""The columns that characters take up where each has the same width: two for a Chinese one."""

import unicodedata


def columns(text: str) -> int:
    """The number of columns that a text takes up."""
    return len(text) if text.isascii() else sum(map(columns_of_sign, text))


def columns_of_sign(sign: str) -> int:
    """The number of columns of one character: 0 for marks on others, 2 for wide ones, else 1."""
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
