"""Bodies that the web server does not receive: the service answers them, as a page or in JSON."""

import json
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest

from config.processes.web_server import MAX_BODY_BYTES
from tests.stack import Stack

pytestmark = pytest.mark.servers

TOKEN = """
from accounts.models import User
from accounts.tokens import making
user = User.objects.create_user("Alice", "alice@example.org")
print("TOKEN", making.create(user, "test", ["read"]).text)
"""


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(workers=0, beat=0) as stack:
        yield stack


def send(service: Stack, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
    """The answer to a body of which only the length is sent."""
    with closing(HTTPConnection(urlsplit(service.url()).netloc, timeout=60)) as connection:
        connection.putrequest("POST", path)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(MAX_BODY_BYTES + 1))
        connection.endheaders()
        answer = connection.getresponse()
        return answer, answer.read()


def test_a_form_gets_a_page(service: Stack) -> None:
    answer, page = send(service, "/account/login/")
    assert answer.status == 413
    assert b"This form takes at most 128 KiB." in page


def test_a_program_gets_a_problem(service: Stack) -> None:
    token = service.shell(TOKEN).rpartition("TOKEN ")[2].strip()
    answer, body = send(service, "/api/v1/account", Authorization=f"Bearer {token}")
    assert answer.status == 413
    assert answer.getheader("Content-Type") == "application/problem+json"
    assert json.loads(body)["code"] == "too-large"
