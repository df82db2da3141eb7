"""Path converter `<handle:...>` for usernames in URLs, registered in apps.py."""

from django.urls.converters import StringConverter

MAX_CHARACTERS = 150


class HandleConverter(StringConverter):
    """A username, without zero bytes, which PostgreSQL refuses with an error."""

    regex = rf"[^/\x00]{{1,{MAX_CHARACTERS}}}"
