"""Log-safe paths: the URL pattern of a request, with its numbers and none of its other values."""

import re

from django.http import HttpRequest

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def safe_path(request: HttpRequest) -> str:
    """The page that was asked for; of what stands in its path, numbers alone.

    A path may hold the token of a link, and people type passwords into the wrong field.
    """
    match = request.resolver_match
    if match is None:
        return "an unknown page"

    def number(found: re.Match[str]) -> str:
        value = match.kwargs.get(found[1])
        return str(value) if isinstance(value, int) else found[0]

    return "/" + _PARAMETER.sub(number, match.route)
