"""How addresses and forms write the numbers of rows; `<number:...>` in every urlconf, see apps.py.

Whatever is longer than a database can hold is the number of nothing.
"""

import re

from django.urls.converters import IntConverter


class NumberConverter(IntConverter):
    """In a path; anything else is no page."""

    regex = "[0-9]{1,18}"


def read_number(text: str) -> int | None:
    """In a query or a form; None for anything else."""
    return int(text) if re.fullmatch(NumberConverter.regex, text) else None
