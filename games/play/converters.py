"""How addresses and forms write the numbers of rows; `<number:...>` in every urlconf, see apps.py.

Whatever is longer than a database can hold is the number of nothing.
"""

import re

from django.urls.converters import IntConverter

LONGEST = 18  # digits
NOTHING = 10**LONGEST  # fits into a database, and no row has it


class NumberConverter(IntConverter):
    """In a path; anything else is no page."""

    regex = f"[0-9]{{1,{LONGEST}}}"


def read_number(text: str) -> int | None:
    """In a query or a form; a longer one is NOTHING, and what is no number is None."""
    if not re.fullmatch("[0-9]+", text):
        return None
    return int(text) if len(text) <= LONGEST else NOTHING
