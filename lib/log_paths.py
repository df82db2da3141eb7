"""Log-safe paths: the URL pattern of a request with only its numbers filled in."""

import re

from django.http import HttpRequest

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def safe_path(request: HttpRequest) -> str:
    """The URL pattern of a request, in which only integer parameters have their values.

    Other values may be secret: a token, or a password that a user typed into the wrong field.
    """
    match = request.resolver_match
    if match is None:
        return "an unknown page"

    def number(parameter: re.Match[str]) -> str:
        value = match.kwargs.get(parameter[1])
        return str(value) if isinstance(value, int) else parameter[0]

    return "/" + _PARAMETER.sub(number, match.route)
