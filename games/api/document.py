"""The OpenAPI document: the registered operations, and what the gate adds to each.

docs/api/v1.json keeps a copy. Within a version nothing is removed and nothing changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from ninja.operation import Operation

from games.api import operations
from games.api.gate import keys
from games.api.gate.callers import SCHEME, Needs
from games.api.gate.paths import VERSION
from games.api.gate.problems import CONTENT_TYPE, KINDS
from games.api.interface import CODES, SCOPE, api
from games.idempotency import client_keys

OBJECT = {"responses": {200: {"content": {"application/json": {"schema": {"type": "object"}}}}}}
SECURITY = "bearer"  # the name of the security scheme

# What any operation may answer, whatever is asked of it.
ALWAYS = (
    *("malformed", "unauthorized", "too-large", "invalid", "too-many-requests"),
    *("internal-error", "unavailable"),
)
HEADERS = {
    401: "WWW-Authenticate",
    429: "Retry-After",
    503: "Retry-After",
}
MEMBERS = {
    "errors": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"where": {"type": "string"}, "detail": {"type": "string"}},
            "required": ["where", "detail"],
        },
        "description": "of invalid: the values, such as body.pace",
    },
    "scope": {"type": "string", "description": "of insufficient-scope: the missing one"},
    "ply": {"type": "integer", "description": "of stale-ply: the newest"},
    "faults": {
        "type": "array",
        "items": {"type": "string"},
        "description": "of bad-setup: sentences",
    },
    "limit": {"enum": ["read", "write", "visitor"], "description": "of too-many-requests"},
    "retry_after": {"type": "integer", "description": "of too-many-requests: seconds"},
}
PROBLEM = {
    "type": "object",
    "description": "What is answered instead of what was asked for (RFC 9457).",
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "a sentence, by Accept-Language"},
        "code": {"enum": list(KINDS)},
        **MEMBERS,
    },
    "required": ["type", "title", "status", "detail", "code"],
}
KNOWN_TAG = {
    "in": "header",
    "name": "If-None-Match",
    "description": "ETags of earlier answers",
    "schema": {"type": "string"},
    "required": False,
}
KEY = {
    "in": "header",
    "name": keys.HEADER,
    "description": "the first answer is given again to the same request with the same key",
    "schema": {"type": "string", "pattern": f"^{client_keys.KEY_PATTERN.pattern}$"},
    "required": False,
}


@api.get("/openapi.json", auth=None, openapi_extra=OBJECT)
def openapi(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document of this interface"""
    return HttpResponse(_compact(), content_type="application/json; charset=utf-8")


def patterns() -> Iterator[URLPattern]:
    """The URL patterns of all operations, with the one of this module."""
    return operations.patterns()


def text() -> str:
    """The document as docs/api/v1.json keeps it."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


@cache
def _compact() -> str:
    return json.dumps(document(), ensure_ascii=False, separators=(",", ":"))


@cache
def document() -> dict[str, Any]:
    """The document as an object; to be read alone."""
    made = json.loads(json.dumps(api.get_openapi_schema(path_prefix=f"{VERSION}/")))
    schemas = made["components"]["schemas"]
    for schema in schemas.values():
        _without_titles(schema)
    schemas["Problem"] = PROBLEM
    needs = {api.get_openapi_operation_id(each): _scope(each) for each in operations.operations()}
    for path, methods in made["paths"].items():
        for method, operation in methods.items():
            _complete(path, method, operation, needs[operation["operationId"]])
    return {
        "openapi": made["openapi"],
        "info": {
            "title": "Estafette",
            "version": "1",
            "description": "Correspondence games for programs; /api/docs/ has the conventions.",
        },
        "servers": [{"url": "/"}],
        "paths": dict(sorted(made["paths"].items())),
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {SECURITY: {"type": "http", "scheme": SCHEME}},
        },
    }


def _scope(operation: Operation) -> str | None:
    needs = (each for each in operation.auth_callbacks if isinstance(each, Needs))
    return next((each.scope for each in needs), None)


def _complete(path: str, method: str, operation: dict[str, Any], scope: str | None) -> None:
    """Add to an operation what django-ninja does not know: scope, problems and headers."""
    summary, _blank, rest = operation.pop("description").partition("\n\n")
    operation["summary"] = summary
    if rest:
        operation["description"] = rest
    operation["security"] = [{SECURITY: []}] if scope else [{}, {SECURITY: []}]
    if scope:
        operation[SCOPE] = scope
    for parameter in operation["parameters"]:
        _simplify(parameter)
    if method == "get":
        operation["parameters"].append(KNOWN_TAG)
        operation["responses"]["200"]["headers"] = {"ETag": _header()}
        operation["responses"]["304"] = {
            "description": "Not Modified",
            "headers": {"ETag": _header()},
        }
    if method == "post":
        operation["parameters"].append(KEY)
        operation[CODES] = [*operation.get(CODES, []), "key-reused"]
        for status, response in operation["responses"].items():
            response["headers"] = {client_keys.REPLAYED: _header(required=False)}
            if status == "201":
                response["headers"]["Location"] = _header()
    operation["responses"] |= _problems(_codes(path, operation, scope))
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _codes(path: str, operation: dict[str, Any], scope: str | None) -> list[str]:
    codes = [*ALWAYS, *operation.pop(CODES, [])]
    if scope:
        codes.append("insufficient-scope")
    if "{" in path:
        codes.append("not-found")
    if "requestBody" in operation:
        codes.append("unsupported-media-type")
    return [code for code in KINDS if code in codes]


def _problems(codes: list[str]) -> dict[str, Any]:
    """A response for each status of these codes."""
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(KINDS[code].status, []).append(code)
    return {str(status): _problem(status, group) for status, group in by_status.items()}


def _problem(status: int, codes: list[str]) -> dict[str, Any]:
    schema = {
        "allOf": [{"$ref": "#/components/schemas/Problem"}],
        "properties": {"code": {"enum": codes}},
    }
    response: dict[str, Any] = {
        # Python's own phrases of statuses differ between its versions.
        "description": "; ".join(KINDS[code].title for code in codes),
        "content": {CONTENT_TYPE: {"schema": schema}},
    }
    if status in HEADERS:
        response["headers"] = {HEADERS[status]: _header()}
    return response


def _header(*, required: bool = True) -> dict[str, Any]:
    return {"schema": {"type": "string"}, "required": required}


def _simplify(parameter: dict[str, Any]) -> None:
    """A parameter that may be left out is not null."""
    schema = parameter["schema"]
    schema.pop("title", None)
    kinds = [each for each in schema.pop("anyOf", []) if each != {"type": "null"}]
    for kind in kinds:
        schema |= kind
    if "description" in schema:
        parameter["description"] = schema.pop("description")


def _without_titles(schema: Any) -> None:
    """Remove the titles that pydantic makes of names; a property may be called "title"."""
    schema.pop("title", None)
    for each in schema.get("properties", {}).values():
        _without_titles(each)
    for each in (*schema.get("anyOf", []), *filter(None, [schema.get("items")])):
        _without_titles(each)
