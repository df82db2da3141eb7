"""The OpenAPI document: complete, kept, and for every operation its scope and problems."""

import json
from pathlib import Path

from django.conf import settings
from pytest_django import DjangoAssertNumQueries

from games.api import operations
from games.api.document import document
from games.api.gate.problems import KINDS
from tests.api.client import Program, code
from tests.floors import at_least

KEPT = Path(settings.BASE_DIR) / "docs" / "api" / "v1.json"


def test_the_stored_document_is_current(
    visitor: Program, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        sent = visitor.get("/openapi.json")
    assert json.loads(sent.content) == json.loads(KEPT.read_text())
    assert sent["ETag"]


def test_every_operation_is_described() -> None:
    described = {
        (path, method.upper(), operation["operationId"]): operation
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    }
    assert len(described) == len(list(operations.operations()))
    assert len({name for _path, _method, name in described}) == len(described)
    for (path, _method, name), operation in at_least(13, described.items()):
        assert path.startswith("/api/v1/"), path
        assert operation["summary"] and not operation["summary"].endswith("."), name
        assert {"401", "422", "429", "500", "503"} <= operation["responses"].keys()
        assert ("403" in operation["responses"]) == ("x-scope" in operation)
        success = [each for status, each in operation["responses"].items() if status < "300"]
        assert success and all("content" in each for each in success), name


def test_the_document_is_an_operation_too(alice_program: Program, visitor: Program) -> None:
    for method in ("POST", "PUT", "DELETE"):
        answer = alice_program.send(method, "/openapi.json", b"{}")
        assert code(answer) == (405, "method-not-allowed")
    options = visitor.send("OPTIONS", "/openapi.json")
    assert (options.status_code, options["Allow"]) == (204, "GET, HEAD, OPTIONS")
    assert code(visitor.get("/openapi.json?x=1")) == (422, "invalid")
    assert "/api/v1/openapi.json" in document()["paths"]


def test_every_code_has_a_title_and_a_sentence() -> None:
    for name, kind in at_least(22, KINDS.items()):
        assert name == name.lower() and " " not in name
        assert not kind.title.endswith(".") and kind.detail.endswith("."), name
