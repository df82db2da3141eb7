"""Forms that could not be sent: a page says so, and offers what was entered once more.

A session or a form's token had run out, or a field contained a character that no text may have.
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.request import RawPostDataException
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _

# Fields of every form; with only these, nothing was entered.
TECHNICAL_FIELDS = ("csrfmiddlewaretoken", "idempotency_key")
WRITTEN = ("move", "name")  # what people write without a blank
NOT_WRITTEN = ("before",)  # the steps of the set-up editor
# A form with one of these is not repeated: the page would contain a secret.
SECRET_WORDS = ("password", "secret", "code", "credential", "token")
ZERO_BYTE = "\0"
SIGN_IN_PAGES = ("account_login", "admin:login")


def expired_token(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form whose CSRF token is missing or outdated; named by CSRF_FAILURE_VIEW.

    A form of another site is not offered again: its fields are not what the user entered.
    """
    request.refused_for = "no CSRF token"  # type: ignore[attr-defined]
    return _page(
        request,
        title=_("This form has expired."),
        reason=_("Nothing was sent. Your browser must accept cookies."),
        status=403,
        offered=_is_own(request),
    )


def signed_out(request: HttpRequest) -> HttpResponse:
    """The page for a form of somebody whose session has ended."""
    return _page(
        request,
        title=_("Please sign in again."),
        reason=_("Nothing was sent, because you are signed out."),
        status=403,
        sign_in=reverse("account_login"),
    )


def zero_byte(request: HttpRequest) -> HttpResponse:
    """The page for a form or an address with a NUL character; it is left out of what is offered."""
    reason = _(
        "Nothing was sent: a field contains a character that no text may have (U+0000, NUL). "
        "Check what you entered; here it is left out."
    )
    return _page(request, title=_("This text cannot be read."), reason=reason, status=422)


def is_to_sign_in(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether the response sends a visitor to sign in who has entered something.

    Somebody signed in who has to confirm who they are is not meant: then allauth keeps the form.
    """
    if request.method != "POST" or request.user.is_authenticated:
        return False
    entered = {*request.POST, *request.FILES}.difference(TECHNICAL_FIELDS)
    if not entered or any(map(_is_secret, entered)):
        return False
    target = urlsplit(response.get("Location", ""))
    return "next=" in target.query and target.path in map(resolve_url, SIGN_IN_PAGES)


def has_zero_byte(request: HttpRequest) -> bool:
    """Whether a NUL character is in the query, or in a field or file name of the form."""
    if has_zero_byte_in_query(request):
        return True
    try:
        fields = list(request.POST.lists())
        files = [file.name or "" for _name, sent in request.FILES.lists() for file in sent]
    except UnreadablePostError:
        return False  # The connection broke; the CSRF check refuses the request.
    return _any_zero_byte(fields) or any(ZERO_BYTE in name for name in (*request.FILES, *files))


def has_zero_byte_in_query(request: HttpRequest) -> bool:
    """Whether a NUL character is in the query."""
    return _any_zero_byte(request.GET.lists())


def _any_zero_byte(fields: Iterable[tuple[str, list[Any]]]) -> bool:
    texts = (text for name, values in fields for text in (name, *map(str, values)))
    return any(ZERO_BYTE in text for text in texts)


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in SECRET_WORDS)


def _is_own(request: HttpRequest) -> bool:
    """Whether the browser says that a page of this site sent the form."""
    origin = request.headers.get("Origin")
    own = f"{request.scheme}://{request.get_host()}"
    return origin == own or request.headers.get("Sec-Fetch-Site") == "same-origin"


def _page(
    request: HttpRequest,
    *,
    title: str,
    reason: str,
    status: int,
    sign_in: str = "",
    offered: bool = True,
) -> HttpResponse:
    fields = [
        (name.replace(ZERO_BYTE, ""), value.replace(ZERO_BYTE, ""))
        for name, values in _entered(request)
        if name != TECHNICAL_FIELDS[0]
        for value in values
    ]
    secret = any(_is_secret(name) for name, _value in fields)
    files = list(request.FILES) if fields else []
    context = {
        "title": title,
        "reason": reason,
        "status": status,
        "sign_in": sign_in,
        "offered": offered and not secret and bool(fields or files),
        "to_open": request.path if secret else "",
        "fields": [(name, value, _is_written(name, value)) for name, value in fields],
        "files": files,
    }
    response = render(request, "unsent_form.html", context, status=status)
    add_never_cache_headers(response)
    return response


def _entered(request: HttpRequest) -> list[tuple[str, list[str]]]:
    """The fields of the form; none if the connection broke."""
    try:
        return list(request.POST.lists())
    except (UnreadablePostError, RawPostDataException):
        return []


def _is_written(name: str, value: str) -> bool:
    """Whether a value is shown as a text to look at and copy, and not only sent again."""
    has_blank = any(sign.isspace() for sign in value.strip())
    return name in WRITTEN or (has_blank and name not in NOT_WRITTEN)
