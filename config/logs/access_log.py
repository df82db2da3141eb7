"""Access log and request ids: one record for each request, with an id that its records share."""

import logging
import re
import secrets
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from lib import log_context
from lib.log_context import safe_path

logger = logging.getLogger("access")

HEADER = "X-Request-ID"
# An id that a proxy may have set; anything else could break or fill the log.
PLAIN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
ID_BYTES = 8
MAX_METHOD_CHARACTERS = 10

# Names of views that are polled several times a minute; logged at INFO only if they fail.
PROBES = ("play:live", "play:ready", "play:news", "metrics")


def access_log(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Middleware: give each request an id, return it in the response, and log the request."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        request_id = given if PLAIN_ID.fullmatch(given) else secrets.token_hex(ID_BYTES)
        request.request_id = request_id  # type: ignore[attr-defined]
        start = time.perf_counter()
        with log_context.bound(request_id=request_id):
            response = get_response(request)
            if settings.ACCESS_LOG:
                _log(request, response.status_code, time.perf_counter() - start)
        response.headers[HEADER] = request_id
        return response

    return middleware


def _log(request: HttpRequest, status: int, seconds: float) -> None:
    match = request.resolver_match
    is_probe = match is not None and match.view_name in PROBES and status < 400
    # Only if the page has read the user; the log costs no query.
    user = getattr(request, "_cached_user", None)
    fields = {
        "method": (request.method or "")[:MAX_METHOD_CHARACTERS],
        "route": _route(request),
        "status": status,
        "duration_ms": round(seconds * 1000),
        "user": user.pk if user else None,
    }
    if (token := getattr(request, "token", None)) is not None:
        fields["token"] = token.pk
    logger.log(logging.DEBUG if is_probe else logging.INFO, "answered", extra={"fields": fields})


def _route(request: HttpRequest) -> str:
    """The route of a request; WhiteNoise's files match no URL pattern and get their folder."""
    is_file = request.resolver_match is None and request.path.startswith(settings.STATIC_URL)
    return f"{settings.STATIC_URL}..." if is_file else safe_path(request)
