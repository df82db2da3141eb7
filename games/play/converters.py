"""How addresses write the numbers of rows: `<number:...>` in every urlconf, see apps.py."""

from django.urls.converters import IntConverter


class NumberConverter(IntConverter):
    """A number that a database can hold; anything longer is no page."""

    regex = "[0-9]{1,18}"
