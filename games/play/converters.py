"""Reads row ids in URLs (`<number:...>`, registered in apps.py), queries and forms.

A number too large for the database is read as an id that no row has.
"""

import re

from django.urls.converters import IntConverter

MAX_DIGITS = 18
NO_ROW = 10**MAX_DIGITS  # fits into a database, and no row has it


class NumberConverter(IntConverter):
    """Path converter: up to 18 digits; anything else does not match the URL."""

    regex = f"[0-9]{{1,{MAX_DIGITS}}}"


def read_number(text: str) -> int | None:
    """Read an id from a query or form: NO_ROW if it is too long, None if it is not a number."""
    if not re.fullmatch("[0-9]+", text):
        return None
    return int(text) if len(text) <= MAX_DIGITS else NO_ROW
