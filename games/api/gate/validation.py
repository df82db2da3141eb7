"""Invalid values: what django-ninja found, as translated sentences with the places."""

from collections.abc import Callable, Collection
from functools import wraps
from inspect import unwrap
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from ninja.errors import ValidationError

from games.api.gate import bodies
from games.api.gate.bodies import JsonParser, read_body, read_json
from games.api.gate.problems import Problem, invalid

MAX_ERRORS = 20
MAX_WHERE_CHARACTERS = 80  # names of unknown fields may be long

# By the type of pydantic's error; the placeholders are values of its context.
SENTENCES = {
    "missing": _("This field is needed."),
    "extra_forbidden": _("There is no such field here."),
    "string_type": _("This has to be a text."),
    "int_type": _("This has to be a whole number."),
    "int_parsing": _("This has to be a whole number."),
    "bool_type": _("This has to be true or false."),
    "switch_type": _("This has to be true or false, a whole number or a text."),
    "dict_type": _("This has to be an object."),
    "model_type": _("This has to be an object."),
    "model_attributes_type": _("This has to be an object."),
    "string_too_long": _("This may have at most %(max_length)s characters."),
    "string_too_short": _("This has to have at least %(min_length)s characters."),
    "greater_than_equal": _("This has to be at least %(ge)s."),
    "less_than_equal": _("This has to be at most %(le)s."),
    "literal_error": _("This has to be one of: %(expected)s."),
    "string_pattern_mismatch": _("This does not have the form that the documentation describes."),
}
OTHER = _("This value is not allowed here.")
NO_BODY = _("This takes no body. Send none, or {}.")
UNKNOWN_PARAMETER = _("There is no such parameter here.")
REPEATED_PARAMETER = _("This parameter was given twice.")


def of_values(error: ValidationError) -> Problem:
    """The problem that lists the invalid values of a request."""
    errors = [
        {"where": where(fault["loc"]), "detail": _sentence(fault["type"], fault.get("ctx", {}))}
        for fault in error.errors[:MAX_ERRORS]
    ]
    return Problem("invalid", errors=errors)


def where(location: tuple[str | int, ...]) -> str:
    """The place of a value, such as "body.switches.scout" or "query.after"."""
    source, *names = location
    if source == "body":
        # The first is the name of the parameter of the function.
        names = names[1:]
    return ".".join(map(str, [source, *names]))[:MAX_WHERE_CHARACTERS]


def _sentence(kind: str, context: dict[str, Any]) -> str:
    if kind == "literal_error":
        # pydantic writes an English "or" before the last value.
        context = {"expected": ", ".join(context["expected"].rsplit(" or ", 1))}
    return gettext(SENTENCES.get(kind, OTHER)) % context


def known_parameters(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator of operations: refuse query parameters that are unknown or given twice.

    django-ninja would ignore them, so a misspelt filter would list everything.
    """
    operation: Any = run.__self__  # type: ignore[attr-defined]
    queries = [each for each in operation.models if each.__ninja_param_source__ == "query"]
    names = {name for query in queries for name in query.__ninja_flatten_map__}

    @wraps(run)
    def checked(request: HttpRequest, **values: Any) -> HttpResponse:
        if request.GET:
            _check_parameters(request, names)
        return run(request, **values)

    return checked


def due_body(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator of operations: refuse an empty body where one is due, and members where none is.

    django-ninja would not parse the first, and not look at the second, which a GET may have too.
    """
    operation: Any = unwrap(run).__self__
    takes_body, needs_body = bodies.takes_body(operation), bodies.needs_body(operation)

    @wraps(run)
    def checked(request: HttpRequest, **values: Any) -> HttpResponse:
        body = read_body(request)
        if needs_body and not body:
            JsonParser().parse_body(request)
        elif not takes_body and body and read_json(body) != {}:
            raise invalid("body", gettext(NO_BODY))
        return run(request, **values)

    return checked


def _check_parameters(request: HttpRequest, names: Collection[str]) -> None:
    errors = []
    for name, values in list(request.GET.lists())[:MAX_ERRORS]:
        if name not in names:
            errors.append({"where": where(("query", name)), "detail": gettext(UNKNOWN_PARAMETER)})
        elif len(values) > 1:
            errors.append({"where": where(("query", name)), "detail": gettext(REPEATED_PARAMETER)})
    if errors:
        raise Problem("invalid", errors=errors)
