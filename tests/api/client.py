"""A program that uses the API: requests with a token, and unchanged responses."""

import json
from functools import cache
from typing import Any

import jsonschema_rs
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from accounts.tokens import making
from games.api.document import document

PROBLEM = "application/problem+json"


class Program:
    """Requests with a token; each answer is checked against the document."""

    def __init__(self, user: User | None = None, *scopes: str, token: str = "") -> None:
        self.client = Client(raise_request_exception=False)
        self.token = making.create(user, "test", scopes).text if user else token

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.send("GET", path, **headers)

    def read(self, path: str) -> Any:
        """The JSON of an answer, which has to be a 200."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.content
        return json.loads(answer.content)

    def send(
        self,
        method: str,
        path: str,
        body: bytes | object = b"",
        content_type: str = "application/json",
        **headers: str,
    ) -> HttpResponse:
        """A request; `headers` are named as in WSGI environments, such as HTTP_IF_NONE_MATCH."""
        if self.token:
            headers.setdefault("HTTP_AUTHORIZATION", f"Bearer {self.token}")
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        where = path if path.startswith("/api") else f"/api/v1{path}"
        environment: dict[str, Any] = dict(headers)
        answer: Any = self.client.generic(method, where, data, content_type, **environment)
        check(method, where, answer)
        response: HttpResponse = answer
        return response


def json_of(answer: HttpResponse) -> Any:
    return json.loads(answer.content)


def code(answer: HttpResponse) -> tuple[int, str]:
    """Status and code of a problem."""
    assert answer["Content-Type"] == PROBLEM, answer.content
    content = json.loads(answer.content)
    assert content["status"] == answer.status_code
    return answer.status_code, content["code"]


def check(method: str, path: str, answer: HttpResponse) -> None:
    """Fail for an answer that the document does not describe."""
    assert "Set-Cookie" not in answer
    assert not answer.cookies
    assert "Cookie" not in answer.get("Vary", "")
    assert answer["Cache-Control"] == "no-store"
    assert answer["Content-Security-Policy"].startswith("default-src 'none'")
    if answer.get("Content-Type") == PROBLEM and method != "HEAD":
        problem = {"$ref": "#/components/schemas/Problem"}
        validator(problem).validate(json.loads(answer.content))
    operation = operation_of(method, path)
    if operation is None:
        return
    response = operation["responses"].get(str(answer.status_code))
    assert response, f"{method} {path} answers {answer.status_code}, undocumented."
    content = response.get("content", {})
    kind = answer.get("Content-Type", "").partition(";")[0]
    assert kind in content or (not content and not kind), f"{kind} is not documented."
    if kind in ("application/json", PROBLEM) and method != "HEAD":
        validator(content[kind]["schema"]).validate(json.loads(answer.content))


@cache
def _document() -> Any:
    """The document, which tests that empty the caches of the service need not make again."""
    return document()


def operation_of(method: str, path: str) -> Any:
    """The operation of the document at a path; None for methods and paths that it has not."""
    parts = path.partition("?")[0].split("/")
    for template, operations in _document()["paths"].items():
        names = template.split("/")
        if len(names) == len(parts) and all(
            name == part or (name.startswith("{") and part.isdecimal())
            for name, part in zip(names, parts, strict=True)
        ):
            return operations.get(method.lower())
    return None


def validator(schema: Any) -> Any:
    """The validator of a schema of the document."""
    return _validator(json.dumps(schema))


@cache
def _validator(schema: str) -> Any:
    return jsonschema_rs.validator_for(
        {"components": _document()["components"], **json.loads(schema)}, validate_formats=True
    )
