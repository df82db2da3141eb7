"""Middleware for idempotency keys: replays the stored response to a form that was sent before."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, UnreadablePostError
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.idempotency import replay
from games.idempotency.replay import DuplicateInProgress, IdempotencyKey, KeyOutdated, KeyReused
from games.idempotency.signed_keys import NotIssued

FIELD = "idempotency_key"
# The CSRF token differs on every page, and is no part of the form's content.
IGNORED_FIELDS = (FIELD, "csrfmiddlewaretoken")


class IdempotencyMiddleware:
    """Replays a form's stored response, or calls the view and stores its response.

    Only a redirect of the view is stored. A page with form errors is not: that form has changed
    nothing, and may be corrected and sent again. Nor is the response that another middleware makes
    of an exception, such as a redirect to the log-in: the form has not acted yet. This middleware
    must be the first to handle an exception, and exceptions pass the middlewares in reverse order,
    so it is the last in the list.

    A form whose key is too old, or was not issued to this user, is shown again with its content and
    a new key.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = _key(request)
        if key is None or (user_id := request.user.pk) is None:
            return self._get_response(request)
        try:
            current = replay.key_for(user_id, key, _content(request))
            return _replay(request, current) or self._respond(request, current)
        except KeyReused:
            return render(request, "sent_before.html", status=422)
        except (NotIssued, KeyOutdated):
            request.needs_new_key = True  # type: ignore[attr-defined]
            return self._get_response(request)

    def _respond(self, request: HttpRequest, current: IdempotencyKey) -> HttpResponse:
        try:
            with replay.in_progress(current):
                response = self._get_response(request)
                if isinstance(response, HttpResponseRedirect) and not current.rolled_back:
                    replay.store_response(current, response.status_code, response["Location"])
                    return response
        except DuplicateInProgress:
            return _replay(request, current) or self._get_response(request)
        # The refusal may be due to a duplicate that acted after the first look-up.
        return _replay(request, current) or response

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Show the form again instead of calling the view; the CSRF token has been checked here."""
        return _show_again(request) if getattr(request, "needs_new_key", False) else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Roll back what a failed view has changed; its response is not stored."""
        replay.roll_back(exception)


def _key(request: HttpRequest) -> str | None:
    if request.method != "POST":
        return None
    try:
        return request.POST.get(FIELD)
    except UnreadablePostError:
        # The connection broke. The CSRF check finds no token and refuses the request.
        return None


def _content(request: HttpRequest) -> str:
    """The path, fields and files of a form, as text."""
    fields = [(name, values) for name, values in request.POST.lists() if name not in IGNORED_FIELDS]
    files = [
        (name, [(file.name, file.size, _digest(file)) for file in sent])
        for name, sent in request.FILES.lists()
    ]
    return repr((request.path, sorted(fields), sorted(files)))


def _digest(file: "UploadedFile[bytes]") -> str:
    """SHA-256 of the file's content, in hexadecimal; rewinds the file."""
    digest = sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def _replay(request: HttpRequest, current: IdempotencyKey) -> HttpResponse | None:
    stored = replay.stored_response(current)
    if stored is None:
        return None
    messages.info(request, _("This form had already been sent; it counts only once."))
    return HttpResponse(status=stored.status, headers={"Location": stored.location})


def _show_again(request: HttpRequest) -> HttpResponse:
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in IGNORED_FIELDS and "password" not in name
        for value in values
    ]
    context = {"fields": fields, "files": list(request.FILES)}
    return render(request, "form_anew.html", context, status=422)
