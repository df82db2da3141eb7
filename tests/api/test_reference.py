"""The reference page: every operation with its fields, codes and a command line; no scripts."""

import html
import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.api.document import document
from games.api.gate.problems import KINDS
from tests.floors import at_least
from tests.play.forms import client_of

pytestmark = pytest.mark.django_db


def page(client: Client, language: str = "en") -> str:
    answer = client.get("/api/docs/", HTTP_ACCEPT_LANGUAGE=language)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def test_it_lists_every_operation_object_and_problem(client: Client) -> None:
    text = page(client)
    anchors = re.findall(r' id="([^"]+)"', text)
    assert len(anchors) == len(set(anchors))
    for path, methods in at_least(13, document()["paths"].items()):
        for method, operation in methods.items():
            assert f"op-{operation['operationId']}" in anchors
            assert f"{method.upper()} {path}" in text
            assert f"{operation['summary']}." in text
    assert document()["components"]["schemas"].keys() <= set(anchors)
    # The type of a problem leads here.
    assert KINDS.keys() <= set(anchors)
    linked = set(re.findall(r'href="#([^"]+)"', text)) - {"content"}
    assert linked <= set(anchors)
    assert 'curl -s -H "Authorization: Bearer $TOKEN"' in text


def test_it_needs_no_script_and_no_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page(client)
    with django_assert_num_queries(0):
        text = page(client)
    assert "<script" not in text and "style=" not in text


def test_it_has_the_frame_of_the_site(alice: User) -> None:
    text = page(client_of(alice), "de")
    assert "Alice" in text
    assert '<html lang="de"' in text or '<html lang="en"' in text


def test_the_path_without_a_slash_redirects(client: Client) -> None:
    assert client.get("/api/docs")["Location"] == "/api/docs/"
