"""Middleware: limits of requests, a measurement of load, and policy headers."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import Resolver404, resolve

from accounts.sign_in import unsent_forms
from games.play.clocks import load

GetResponse = Callable[[HttpRequest], HttpResponse]

MAX_BODY_BYTES = 128 * 1024
MAX_DIGITS = 20  # of a Content-Length; Python converts some 4,000
MAX_LARGE_BODY_BYTES = 1024 * 1024  # of a game record, or of a message from a mail provider
PROVIDER_VIEWS = ("mail:provider", "mail:provider_mime")

SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")
OTHER_SITES = ("cross-site", "same-site")

PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


def body_limit(get_response: GetResponse) -> GetResponse:
    """Refuse a request whose body is too long, before it is read."""

    def middleware(request: HttpRequest) -> HttpResponse:
        length = _digits(request.META.get("CONTENT_LENGTH"))
        if length > MAX_BODY_BYTES and length > (limit := _limit(request)):
            return render(request, "413.html", {"limit_kib": limit // 1024}, status=413)
        return get_response(request)

    return middleware


def _digits(text: str | None) -> int:
    """The number in a header, of its first MAX_DIGITS digits; 0 if it is not a number."""
    return int(text[:MAX_DIGITS]) if text and text.isdecimal() else 0


def _limit(request: HttpRequest) -> int:
    try:
        match = resolve(request.path_info)
    except Resolver404:
        return MAX_BODY_BYTES
    # Parsing a megabyte of multipart data takes a second, so visitors may not send as much.
    expected = match.kwargs.get("name", "") == settings.MAIL_PROVIDER
    if match.view_name in PROVIDER_VIEWS and expected and settings.MAIL_PROVIDER:
        return MAX_LARGE_BODY_BYTES
    if match.view_name == "archive:new_record" and request.user.is_authenticated:
        return MAX_LARGE_BODY_BYTES
    return MAX_BODY_BYTES


def refuse_trace(get_response: GetResponse) -> GetResponse:
    """Refuse the method TRACE; static files and the API do so themselves."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method == "TRACE":
            return HttpResponseNotAllowed(("GET", "HEAD", "POST"))
        return get_response(request)

    return middleware


def measure_load(get_response: GetResponse) -> GetResponse:
    """Measure the processor time of each account's requests (games/play/clocks/load.py)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        work = load.begin(request)
        try:
            return get_response(request)
        finally:
            load.end(work)

    return middleware


class RefuseForms:
    """Refuse a form that a page of another site sent, and a form or a query with a NUL character.

    Browsers say where a form comes from (Fetch Metadata). The CSRF token already keeps others out;
    this holds even if a token has leaked. PostgreSQL cannot store NUL. Views without a CSRF check
    receive forms from programs, and check these themselves.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], *_arguments: Any
    ) -> HttpResponse | None:
        if "\0" in request.path:
            raise Http404
        if getattr(view, "csrf_exempt", False):
            refused = unsent_forms.has_zero_byte_in_query(request)
        elif _is_of_other_site(request):
            return unsent_forms.expired_token(request)
        else:
            refused = unsent_forms.has_zero_byte(request)
        return unsent_forms.zero_byte(request) if refused else None


def _is_of_other_site(request: HttpRequest) -> bool:
    from_other_site = request.headers.get("Sec-Fetch-Site") in OTHER_SITES
    return from_other_site and request.method not in SAFE_METHODS


def policies(get_response: GetResponse) -> GetResponse:
    """Set two headers: pages use no device, and other sites cannot embed them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response

    return middleware
