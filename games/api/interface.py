"""The first version of the interface: the object with which operations are registered.

An operation is a function of a request that returns an object of games/api/schemas. Its first line
is the title in the document, the rest of its docstring the description.
"""

import json
from typing import Any, NoReturn

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation
from ninja.renderers import BaseRenderer

from games.api.gate import callers, keys, validation
from games.api.gate.bodies import JsonParser

LINES = "application/x-ndjson"
CODES, SCOPE = "x-codes", "x-scope"  # in the document: of an operation


class Renderer(BaseRenderer):
    """Compact JSON in UTF-8."""

    media_type = "application/json"
    charset = "utf-8"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> str:
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Interface(NinjaAPI):
    """Operations are named after their functions, in URLs and in the document."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__


api = Interface(
    title="Estafette",
    version="1",
    urls_namespace="api",
    docs_url=None,
    openapi_url=None,
    renderer=Renderer(),
    parser=JsonParser(),
)
api.add_decorator(validation.known_parameters, mode="view")
api.add_decorator(keys.keyed, mode="view")
api.add_decorator(validation.due_body, mode="view")
api.add_decorator(callers.admitted, mode="view")


@api.exception_handler(Exception)
def _pass_on(_request: HttpRequest, error: Exception) -> NoReturn:
    """Problems are answered by the gate, all other errors by Django's handler."""
    raise error


@api.exception_handler(ValidationError)
def _invalid(_request: HttpRequest, error: ValidationError) -> NoReturn:
    raise validation.of_values(error) from None


@api.exception_handler(HttpError)
def _unparsed(_request: HttpRequest, error: HttpError) -> NoReturn:
    """What the parser raised: django-ninja wraps it."""
    raise error.__cause__ or error


def codes(*names: str) -> dict[str, Any]:
    """For `openapi_extra`: problems of an operation beyond those that any may have."""
    return {CODES: list(names)}


def text_answer(content_type: str, description: str) -> dict[str, Any]:
    """For `openapi_extra`: an answer that is no JSON object."""
    schema = {"type": "string", "description": description}
    return {"responses": {200: {"content": {content_type: {"schema": schema}}}}}


def plain(text: str, content_type: str) -> HttpResponse:
    """A response that is no JSON object; `content_type` without its charset."""
    return HttpResponse(text, content_type=f"{content_type}; charset=utf-8")
