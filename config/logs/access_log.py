"""Access log and request ids: a line for each request, and an id that all its records share."""

import logging
import re
import secrets
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.logs import records
from lib.log_paths import place

logger = logging.getLogger("access")

HEADER = "X-Request-ID"
# What a proxy may have given it; anything else could break a line of the log, or fill it.
PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
ID_BYTES = 8
MAX_METHOD_CHARACTERS = 10

# By the names of their views: asked several times a minute, for ever. Told of when they fail.
PROBES = ("play:live", "play:ready", "play:news", "metrics")


def access_log(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Give each request an id, return it in the response, and log the request with it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        request_id = given if PLAIN_ID.fullmatch(given) else secrets.token_hex(ID_BYTES)
        request.request_id = request_id  # type: ignore[attr-defined]
        begun = time.perf_counter()
        with records.bound(request_id=request_id):
            response = get_response(request)
            if settings.ACCESS_LOG:
                _note(request, response.status_code, time.perf_counter() - begun)
        response.headers[HEADER] = request_id
        return response

    return middleware


def _note(request: HttpRequest, status: int, seconds: float) -> None:
    match = request.resolver_match
    probed = match is not None and match.view_name in PROBES and status < 400
    # As it was found out for the page; nobody is asked for the sake of the log.
    user = getattr(request, "_cached_user", None)
    facts = {
        "method": (request.method or "")[:MAX_METHOD_CHARACTERS],
        "route": _route(request),
        "status": status,
        "duration_ms": round(seconds * 1000),
        "user": user.pk if user else None,
    }
    logger.log(logging.DEBUG if probed else logging.INFO, "answered", extra={"facts": facts})


def _route(request: HttpRequest) -> str:
    """The page; a file of WhiteNoise's, which asks no URL pattern, is told by its folder."""
    is_file = request.resolver_match is None and request.path.startswith(settings.STATIC_URL)
    return f"{settings.STATIC_URL}..." if is_file else place(request)
