"""Security log: sign-ins, refusals and actions of staff, in the logger `accounts.security`.

Users are logged by primary key and network address, never by what was typed: people type passwords
into the wrong field.
"""

import logging

from allauth.core.internal.httpkit import get_client_ip
from django.http import HttpRequest

from lib.log_context import safe_path

WHY = {401: "no valid token", 429: "too many requests"}  # by status

logger = logging.getLogger("accounts.security")


def note(event: str, request: HttpRequest | None, user_pk: int | None) -> None:
    """Log an event with the user it is about and the address it came from."""
    where = get_client_ip(request) if request else "a command"
    logger.info("%s: user %s from %s", event, user_pk, where)


def note_refusal(request: HttpRequest, status: int) -> None:
    """Log a response that refused a request: no token or permission, or a rate limit."""
    why = getattr(request, "refused_for", WHY.get(status, "no permission"))
    note(f"refused {request.method} {safe_path(request)}, {why}", request, request.user.pk)
