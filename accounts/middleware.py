"""Middleware of accounts: user, language, time zone, visits, cache headers, log, unsent forms.

Costs no query besides the one for the session and its user.
"""

from collections.abc import Callable

from allauth.account.internal.flows.login import get_authentication_records
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware, get_user
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts.people import presence
from accounts.sign_in import security_log, unsent_forms
from accounts.sign_in.auth_backend import preloaded
from accounts.user_sessions.listing import is_visit_due, note_visit
from accounts.values import time_zones

GetResponse = Callable[[HttpRequest], HttpResponse]

REFUSED = (403, 429)

_LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


# How the address of a file ends that is the same for everybody.
FILE_ENDINGS = (".svg", ".png", ".gif")


def for_everybody(get_response: GetResponse) -> GetResponse:
    """Answer requests for files that are the same for everybody as if a stranger had asked.

    Comes before the middleware of sessions: the response has no cookie, no language and no Vary,
    so that any cache may keep it. What is not there may exist later, so that answer is not kept.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if not _is_for_everybody(request):
            return get_response(request)
        for header in ("HTTP_COOKIE", "HTTP_ACCEPT_LANGUAGE"):
            request.META.pop(header, None)
        response = get_response(request)
        for header in ("Vary", "Content-Language"):
            response.headers.pop(header, None)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return middleware


def _is_for_everybody(request: HttpRequest) -> bool:
    if not request.path_info.endswith(FILE_ENDINGS):
        return False
    try:
        route = resolve(request.path_info)
    except Resolver404:
        return False
    return getattr(route.func, "for_everybody", False)


class Authentication(AuthenticationMiddleware):
    """Django's middleware, but with the user instead of a lazy object.

    A page reads the user dozens of times, and the query for the session has loaded it already.
    """

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        with preloaded(getattr(request.session, "user", None)):
            request.user = get_user(request)


def preferences(get_response: GetResponse) -> GetResponse:
    """Activate the user's language, else the browser's, and their time zone."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        chosen = user.language if user.is_authenticated else ""
        zone = user.zoneinfo if user.is_authenticated else time_zones.read(settings.TIME_ZONE)
        by_header = chosen not in _LANGUAGES
        language = translation.get_language_from_request(request) if by_header else chosen
        with translation.override(language), timezone.override(zone):
            request.LANGUAGE_CODE = language
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        if by_header:
            patch_vary_headers(response, ["Accept-Language"])
        return response

    return middleware


def sessions(get_response: GetResponse) -> GetResponse:
    """Record a visit of the session every ten minutes; clear the browser's cache at sign-out.

    A session whose user has just confirmed who they are gets a new key, as at log-in.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.user.hushed and _is_navigation(request):
            presence.mark_present(request.user)
        key, confirmed = request.session.session_key, _confirmations(request)
        response = get_response(request)
        if _confirmations(request) > confirmed and request.session.session_key == key:
            request.session.cycle_key()
        if request.user.is_authenticated and is_visit_due(request):
            note_visit(request)
        if getattr(request, "signed_out", False):
            # On a shared computer, the next person must not find pages in the cache.
            response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response

    return middleware


def _confirmations(request: HttpRequest) -> float:
    """When the user of a form has last confirmed who they are; 0 if never, or for a visitor."""
    if request.method != "POST" or not request.user.is_authenticated:
        return 0
    records = get_authentication_records(request, request.user)
    return max((each["at"] for each in records if each.get("reauthenticated")), default=0)


def no_store(get_response: GetResponse) -> GetResponse:
    """Keep pages of signed-in users out of caches, unless the view sets Cache-Control."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.user.is_authenticated:
            response.headers.setdefault("Cache-Control", "no-store, private")
        return response

    return middleware


def refusals(get_response: GetResponse) -> GetResponse:
    """Log responses with status 403 and 429 in the security log."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code in REFUSED:
            security_log.note_refusal(request, response.status_code)
        return response

    return middleware


def keep_unsent_forms(get_response: GetResponse) -> GetResponse:
    """Offer a form again whose user is sent to sign in, instead of losing what they entered."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if unsent_forms.is_to_sign_in(request, response):
            request.refused_for = "signed out"  # type: ignore[attr-defined]
            return unsent_forms.signed_out(request)
        return response

    return middleware


def _is_navigation(request: HttpRequest) -> bool:
    """Whether a person opens a page, and not a script of a page that is open in a tab."""
    return request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
