"""What log records of a request or task share: fields such as its id, its path without secrets.

The outbox stores the id of the cause in its rows, so that a record about an e-mail names the
request that led to it, in another process and hours later.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest

MAX_CAUSE_CHARACTERS = 64

_bound: ContextVar[dict[str, Any] | None] = ContextVar("bound", default=None)


@contextmanager
def bound(**more: Any) -> Iterator[None]:
    """Within the block, each record of this thread also has these fields."""
    token = _bound.set({**context(), **more})
    try:
        yield
    finally:
        _bound.reset(token)


def bind(**only: Any) -> None:
    """From here on, each record of this thread has these fields and no others."""
    _bound.set(only)


def context() -> dict[str, Any]:
    """The fields that are bound now."""
    return _bound.get() or {}


def cause() -> str:
    """The id of what is being done: of the request, else of the task; "" outside both."""
    fields = context()
    return str(fields.get("request_id") or fields.get("task_id") or "")[:MAX_CAUSE_CHARACTERS]


_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def safe_path(request: HttpRequest) -> str:
    """The URL pattern of a request, in which only integer parameters have their values.

    Other values may be secret: a token, or a password that a user typed into the wrong field.
    """
    match = request.resolver_match
    if match is None:
        return "an unknown page"

    def number(parameter: re.Match[str]) -> str:
        value = match.kwargs.get(parameter[1])
        return str(value) if isinstance(value, int) else parameter[0]

    return "/" + _PARAMETER.sub(number, match.route)
