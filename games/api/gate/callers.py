"""Who asks: the token of a request and its user, and the scopes that an operation needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import unwrap
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts.models import AccessToken, User
from accounts.tokens import finding
from games.api.gate.problems import Problem, unauthorized

SCHEME = "bearer"


class Request(HttpRequest):
    """A request of the API."""

    user: User | AnonymousUser
    token: AccessToken | None


class TokenRequest(Request):
    """A request with a token, as operations with a scope get it."""

    user: User
    token: AccessToken


def recognize(request: HttpRequest) -> AccessToken | None:
    """Set `token` and `user` of a request; None without a token.

    Raises Problem for a header that is no valid token, also where none is needed.
    """
    request.token = None  # type: ignore[attr-defined]
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _blank, text = header.partition(" ")
    token = finding.find(text.strip()) if scheme.lower() == SCHEME else None
    if token is None:
        raise unauthorized()
    request.token = token  # type: ignore[attr-defined]
    # The second is for the logs (config/logs/access_log.py).
    request.user = request._cached_user = token.user  # type: ignore[attr-defined]
    return token


class Needs:
    """The scope that an operation needs, as its `auth` in django-ninja."""

    openapi_security_schema = {"type": "http", "scheme": SCHEME}

    def __init__(self, scope: str) -> None:
        self.scope = scope

    def __call__(self, request: Any) -> AccessToken:
        """The token of the request; raises Problem if it is missing or lacks the scope."""
        token: AccessToken | None = request.token
        if token is None:
            raise unauthorized()
        if self.scope not in token.scopes.split():
            raise Problem(
                "insufficient-scope",
                _("This needs a token with the permission “%(scope)s”.") % {"scope": self.scope},
                scope=self.scope,
            )
        return token


def admitted(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator of operations: check token and scope before parameters, key and body."""
    operation: Any = unwrap(run).__self__

    @wraps(run)
    def checked(request: HttpRequest, **values: Any) -> HttpResponse:
        for check in operation.auth_callbacks:
            check(request)
        return run(request, **values)

    return checked


READ, PLAY, CHALLENGE = Needs("read"), Needs("play"), Needs("challenge")
