"""The gate: answers every request below /api/, without session, cookies and HTML.

It stands before the middleware of sessions, which requests of the API never reach.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone, translation

from accounts.sign_in import security_log
from games.api.gate import bodies, callers, etags, limits, problems
from games.api.gate.paths import is_api
from games.api.gate.problems import HEADERS, Problem
from lib import log_context

GetResponse = Callable[[HttpRequest], HttpResponse]

REFUSED = (401, 403, 429)


def gate(get_response: GetResponse) -> GetResponse:
    """Middleware: answer requests of the API, and pass on all others.

    Errors that are not problems pass on to Django, whose handlers answer with problems
    (config/web/server_errors.py).
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        return answer(request) if is_api(request) else get_response(request)

    return middleware


def answer(request: HttpRequest) -> HttpResponse:
    """The response to a request of the API, with the headers that all of them have."""
    request.META.pop("HTTP_COOKIE", None)
    request.user = AnonymousUser()
    language = translation.get_language_from_request(request)
    request.LANGUAGE_CODE = language
    with translation.override(language), timezone.override(UTC):
        try:
            response = _let_in(request)
        except Problem as problem:
            response = problem.response()
        except (Http404, Resolver404):
            response = problems.not_found().response()
        except SuspiciousOperation as error:
            response = problems.suspicious(error).response()
    if response.status_code in REFUSED:
        security_log.note_refusal(request, response.status_code)
    if response.status_code == 200 and request.method in ("GET", "HEAD"):
        response = etags.conditional(request, response)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if response.status_code not in (204, 304):
        response["Content-Length"] = str(len(response.content))
    if request.method == "HEAD":
        response.content = b""
    return response


def _let_in(request: HttpRequest) -> HttpResponse:
    """Recognize the caller, count the request, and call the view of its path."""
    request.get_host()
    try:
        token = callers.recognize(request)
    except Problem:
        limits.count(request, None)
        raise
    limits.count(request, token)
    match = request.resolver_match = resolve(request.path_info)
    bodies.check_length(request)
    with log_context.bound(token=token and token.pk):
        return _call(request, lambda: match.func(request, *match.args, **match.kwargs))


def _call(request: HttpRequest, view: Callable[[], HttpResponse]) -> HttpResponse:
    """What the view answers; HEAD is answered as GET, and OPTIONS with the methods."""
    method = request.method
    request.method = "GET" if method == "HEAD" else method
    try:
        response = view()
    finally:
        request.method = method
    if response.status_code != 405:
        return response
    allowed = _allowed(response)
    if method == "OPTIONS":
        response = HttpResponse(status=204, headers={"Allow": allowed})
        del response["Content-Type"]
        return response
    raise Problem("method-not-allowed", headers={"Allow": allowed})


def _allowed(response: HttpResponse) -> str:
    methods = {*response["Allow"].split(", "), "OPTIONS"}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))
