"""Bodies of requests: JSON in UTF-8 of limited size and depth, without NUL characters."""

import json
from typing import Any, NoReturn

from django.http import HttpRequest, UnreadablePostError
from django.utils.translation import gettext as _
from ninja.parser import Parser

from games.api.gate.problems import Problem

MAX_BODY_BYTES = 16 * 1024
MAX_DEPTH = 8  # of arrays and objects within each other
MAX_LENGTH_DIGITS = 20  # of a Content-Length


class JsonParser(Parser):
    """Reads the body of an operation that takes one; raises Problem."""

    def parse_body(self, request: HttpRequest) -> Any:
        if request.content_type != "application/json":
            raise Problem("unsupported-media-type")
        return read_json(read_body(request))


def takes_body(operation: Any) -> bool:
    """Whether an operation of django-ninja takes a body."""
    return any(each.__ninja_param_source__ == "body" for each in operation.models)


def needs_body(operation: Any) -> bool:
    """Whether it cannot do without one."""
    return any(
        field.is_required()
        for each in operation.models
        if each.__ninja_param_source__ == "body"
        for field in each.model_fields.values()
    )


def check_length(request: HttpRequest) -> None:
    """Raise a Problem for a body that is too large, before it is read."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    is_number = length.isdecimal() and len(length) <= MAX_LENGTH_DIGITS
    if not is_number or int(length) > MAX_BODY_BYTES:
        raise Problem("too-large")


def read_body(request: HttpRequest) -> bytes:
    """The body of a request; raises Problem."""
    try:
        return request.body
    except UnreadablePostError:
        # The connection broke; nobody reads the answer.
        raise Problem("malformed") from None


def read_json(data: bytes) -> Any:
    """The value of a JSON text; raises Problem.

    Refused too: names that occur twice in an object, numbers that are not finite, more than
    MAX_DEPTH levels, and strings with NUL characters or unpaired surrogates, which cannot be
    stored.
    """
    try:
        value = json.loads(
            data.decode(), object_pairs_hook=_object, parse_constant=_no_number, parse_float=_float
        )
    except (ValueError, RecursionError):
        # ValueError is also raised for invalid UTF-8 and for integers of thousands of digits.
        raise Problem("malformed") from None
    _check(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("A name occurs twice.")
    return values


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON.")


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError("The number is too large.")
    return number


def _check(value: Any) -> None:
    waiting = [(value, 0)]
    while waiting:
        each, depth = waiting.pop()
        if isinstance(each, str):
            _check_text(each)
        elif isinstance(each, dict | list):
            if depth == MAX_DEPTH:
                raise Problem(
                    "malformed",
                    _("Arrays and objects may be nested %(most)s levels deep.")
                    % {"most": MAX_DEPTH},
                )
            if isinstance(each, dict):
                for name in each:
                    _check_text(name)
            within = each.values() if isinstance(each, dict) else each
            waiting += [(item, depth + 1) for item in within]


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Problem("malformed", _("A string has an unpaired surrogate.")) from None
    if "\0" in text:
        raise Problem("malformed", _("A string has a NUL character."))
