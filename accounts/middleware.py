"""Middleware: language, time zone and session activity of the signed-in user.

It costs no query beside those for the session and the user.
"""

import time
from collections.abc import Callable

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts import presence, zones

GetResponse = Callable[[HttpRequest], HttpResponse]

SEEN = "seen"  # key in the session: when its UserSession was last written, seconds since 1970
SEEN_EVERY_SECONDS = 600

_LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


def preferences(get_response: GetResponse) -> GetResponse:
    """Activate the user's language, else the browser's, and their time zone."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        chosen = user.language if user.is_authenticated else ""
        zone = user.zoneinfo if user.is_authenticated else zones.read(settings.TIME_ZONE)
        asked = chosen not in _LANGUAGES
        language = translation.get_language_from_request(request) if asked else chosen
        with translation.override(language), timezone.override(zone):
            request.LANGUAGE_CODE = language
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        if asked:
            patch_vary_headers(response, ["Accept-Language"])
        return response

    return middleware


def sessions(get_response: GetResponse) -> GetResponse:
    """Update the session list every ten minutes; clear the browser's cache at a sign-out."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.user.hushed and _is_navigation(request):
            presence.mark_present(request.user)
        response = get_response(request)
        # Afterwards: on SQLite, a move would have to wait here before it is known to have arrived.
        if request.user.is_authenticated and _is_due(request):
            _update_user_session(request)
        if getattr(request, "signed_out", False):
            # On a shared computer, the next person finds no page in the cache.
            response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response

    return middleware


def _is_navigation(request: HttpRequest) -> bool:
    """Whether a person opens a page, as opposed to a script of a page left open in a tab."""
    return request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"


def _is_due(request: HttpRequest) -> bool:
    seen_at: float = request.session.get(SEEN, 0)
    return time.time() - seen_at > SEEN_EVERY_SECONDS


def _update_user_session(request: HttpRequest) -> None:
    """Write when and from where the session is used; its cookie's age starts anew."""
    UserSession.objects.filter(session_key=request.session.session_key).update(
        last_seen_at=timezone.now(),
        ip=get_adapter().get_client_ip(request),
        user_agent=request.headers.get("User-Agent", "")[:200],
    )
    request.session[SEEN] = int(time.time())
