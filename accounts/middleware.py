"""What is done for the reader of every page. It costs no query beside the session and the user."""

import time
from collections.abc import Callable

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts import presence, zones

Answer = Callable[[HttpRequest], HttpResponse]

SEEN = "seen"  # in the session: when the list of sessions was last told of it, seconds since 1970
SEEN_EVERY = 600  # seconds

_LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


def preferences(answer: Answer) -> Answer:
    """Speaks the reader's language, else the browser's, and shows times by their clocks."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        chosen = user.language if user.is_authenticated else ""
        zone = user.zoneinfo if user.is_authenticated else zones.read(settings.TIME_ZONE)
        asked = chosen not in _LANGUAGES
        language = translation.get_language_from_request(request) if asked else chosen
        with translation.override(language), timezone.override(zone):
            request.LANGUAGE_CODE = language
            response = answer(request)
        response.headers.setdefault("Content-Language", language)
        if asked:
            patch_vary_headers(response, ["Accept-Language"])
        return response

    return middleware


def sessions(answer: Answer) -> Answer:
    """Keeps the list of sessions fresh to some minutes, and leaves nothing behind at a sign-out."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.user.hushed and _is_visit(request):
            presence.welcome(request.user)
        response = answer(request)
        # Afterwards: on SQLite, a move would have to wait here before it is known to have arrived.
        if request.user.is_authenticated and _is_due(request):
            _note(request)
        if getattr(request, "signed_out", False):
            # On a shared computer, the next person finds no page in the cache.
            response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response

    return middleware


def _is_visit(request: HttpRequest) -> bool:
    """Whether a person asks, and not a page that lies open in some tab."""
    return request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"


def _is_due(request: HttpRequest) -> bool:
    return time.time() - request.session.get(SEEN, 0) > SEEN_EVERY


def _note(request: HttpRequest) -> None:
    """Writes when and from where the session is used; its cookie lasts anew from here."""
    UserSession.objects.filter(session_key=request.session.session_key).update(
        last_seen_at=timezone.now(),
        ip=get_adapter().get_client_ip(request),
        user_agent=request.headers.get("User-Agent", "")[:200],
    )
    request.session[SEEN] = int(time.time())
