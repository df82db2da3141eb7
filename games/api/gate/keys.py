"""Idempotency keys of requests: a POST that is sent again gets its first response again."""

from collections.abc import Callable
from functools import wraps
from inspect import unwrap
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts.models import AccessToken
from games.api.gate import bodies
from games.api.gate.bodies import JsonParser
from games.api.gate.problems import Problem, invalid
from games.idempotency import client_keys
from games.idempotency.replay import KeyReused

HEADER = "Idempotency-Key"


def keyed(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator of operations: a POST with a key acts once.

    The token was checked before, so a key opens nothing that its token could not do.
    """
    operation: Any = unwrap(run).__self__
    takes_body, needs_body = bodies.takes_body(operation), bodies.needs_body(operation)

    @wraps(run)
    def once(request: HttpRequest, **values: Any) -> HttpResponse:
        key = request.headers.get(HEADER)
        if key is None or request.method != "POST":
            return run(request, **values)
        token: AccessToken = request.token  # type: ignore[attr-defined]
        is_read = needs_body or (takes_body and bodies.read_body(request))
        body = JsonParser().parse_body(request) if is_read else None
        try:
            current = client_keys.key_for(token.user_id, key, request.path_info, body)
            return client_keys.respond(current, lambda: run(request, **values))
        except client_keys.NotAKey:
            sentence = _("A key has 8 to 64 letters, digits, hyphens and underscores.")
            raise invalid(f"header.{HEADER}", sentence) from None
        except KeyReused:
            raise Problem("key-reused") from None

    return once
