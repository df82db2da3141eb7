"""Middleware: a ceiling for what is sent, a measure of load, and policies in every header."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve

from games.play.clocks import load

GetResponse = Callable[[HttpRequest], HttpResponse]

MAX_BODY_BYTES = 128 * 1024
MAX_DIGITS = 20  # of a Content-Length; Python converts some 4,000
# By the names of their views: what takes more.
LARGER_BODIES = dict.fromkeys(
    ("archive:new_record", "mail:provider", "mail:provider_mime"), 1024 * 1024
)

PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


def body_limit(get_response: GetResponse) -> GetResponse:
    """Refuse a request whose body is too long, before anything reads or stores it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        length = _digits(request.META.get("CONTENT_LENGTH"))
        if length > MAX_BODY_BYTES and length > (limit := _limit(request)):
            return render(request, "413.html", {"limit_kib": limit // 1024}, status=413)
        return get_response(request)

    return middleware


def _digits(text: str | None) -> int:
    """The number of a header; far too much where its digits would be refused as a number."""
    return int(text[:MAX_DIGITS]) if text and text.isdecimal() else 0


def _limit(request: HttpRequest) -> int:
    try:
        return LARGER_BODIES.get(resolve(request.path_info).view_name, MAX_BODY_BYTES)
    except Resolver404:
        return MAX_BODY_BYTES


def measure_load(get_response: GetResponse) -> GetResponse:
    """Measure the processor time of each account's requests (games/play/clocks/load.py)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        work = load.begin(request)
        try:
            return get_response(request)
        finally:
            load.end(work)

    return middleware


def policies(get_response: GetResponse) -> GetResponse:
    """Set both headers: no page uses a device, none is loaded into another site's page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response

    return middleware
