"""ETags: made of the bytes of an answer, so that a program that polls receives only changes."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags

CHARACTERS = 32  # of a hexadecimal SHA-256: 128 bits


def conditional(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response with an ETag, or 304 if the client has it; for a 200 of GET or HEAD."""
    tag = f'"{sha256(response.content).hexdigest()[:CHARACTERS]}"'
    if _has(request.headers.get("If-None-Match", ""), tag):
        response = HttpResponse(status=304)
        # Django sets a type, which a response without content has not.
        del response["Content-Type"]
    response["ETag"] = tag
    return response


def _has(known: str, tag: str) -> bool:
    """Whether If-None-Match names the tag; compared weakly, as RFC 9110 says."""
    return known.strip() == "*" or tag in (each.removeprefix("W/") for each in parse_etags(known))
