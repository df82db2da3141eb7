"""The reference page for people: the document as HTML, made on the server, without scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.api.document import document
from games.api.gate.problems import KINDS
from games.api.interface import SCOPE

EXAMPLE_NUMBER = "7"
REFERENCE = re.compile(r"#/components/schemas/(\w+)")


class Field(NamedTuple):
    """A member of an object, or a parameter; `schema` is the name of a schema to link to."""

    name: str
    kind: str
    schema: str
    needed: bool
    description: str


class Shown(NamedTuple):
    """An operation as the page shows it."""

    name: str
    method: str
    path: str
    summary: str
    description: str
    scope: str
    parameters: list[Field]
    body: list[Field]
    answers: list[Field]  # by status
    codes: list[str]
    curl: str


class Object(NamedTuple):
    """A schema as the page shows it."""

    name: str
    description: str
    fields: list[Field]


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """The operations, what they take and answer, and the problems."""
    context = {"operations": _operations(), "objects": _objects(), "problems": KINDS}
    return render(request, "api/reference.html", context)


@cache
def _operations() -> list[Shown]:
    return [
        _operation(path, method, operation)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    ]


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> Shown:
    content = operation.get("requestBody", {}).get("content", {})
    body = _resolved(content["application/json"]["schema"]) if content else {}
    return Shown(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation.get("description", ""),
        scope=operation.get(SCOPE, ""),
        parameters=[
            _field(each["name"], each["schema"], each["required"], each.get("description", ""))
            for each in operation["parameters"]
        ],
        body=list(_fields(body)),
        answers=[
            _field(status, _schema_of(answer), False, answer["description"])
            for status, answer in operation["responses"].items()
            if status < "400"
        ],
        codes=[code for code in KINDS if code in _codes(operation)],
        curl=_curl(path, method, body),
    )


@cache
def _objects() -> list[Object]:
    return [
        Object(name, schema.get("description", ""), list(_fields(schema)))
        for name, schema in document()["components"]["schemas"].items()
    ]


def _fields(schema: Mapping[str, Any]) -> Iterator[Field]:
    needed = schema.get("required", [])
    for name, each in schema.get("properties", {}).items():
        yield _field(name, each, name in needed, each.get("description", ""))


def _field(name: str, schema: Mapping[str, Any], needed: bool, description: str) -> Field:
    linked = REFERENCE.search(json.dumps(schema))
    return Field(name, _kind(schema), linked[1] if linked else "", needed, description)


def _kind(schema: Mapping[str, Any]) -> str:
    """The type of a value in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "const" in schema:
        return str(schema["const"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    return str(schema.get("format") or schema.get("type", ""))


def _schema_of(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of an answer; for one that is no JSON object its type."""
    for kind, content in answer.get("content", {}).items():
        return content["schema"] if kind == "application/json" else {"type": kind}
    return {}


def _codes(operation: Mapping[str, Any]) -> set[str]:
    return {
        code
        for answer in operation["responses"].values()
        for content in answer.get("content", {}).values()
        for code in content["schema"].get("properties", {}).get("code", {}).get("enum", [])
    }


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    linked = REFERENCE.fullmatch(schema.get("$ref", ""))
    return document()["components"]["schemas"][linked[1]] if linked else schema


def _curl(path: str, method: str, body: Mapping[str, Any]) -> str:
    """A command line that can be tried, with the token in a variable."""
    parts = ["curl -s", '-H "Authorization: Bearer $TOKEN"']
    if method != "get":
        parts.append(f"-X {method.upper()}")
    if body:
        example = json.dumps(_example(body))
        parts += ['-H "Content-Type: application/json"', f"-d '{example}'"]
    return " ".join([*parts, settings.SITE_URL + re.sub(r"{\w+}", EXAMPLE_NUMBER, path)])


def _example(body: Mapping[str, Any]) -> dict[str, Any]:
    """An object with the members that are needed, by their examples."""
    members = body.get("properties", {})
    return {
        name: members[name].get("examples", [int(EXAMPLE_NUMBER)])[0]
        for name in body.get("required", [])
    }
