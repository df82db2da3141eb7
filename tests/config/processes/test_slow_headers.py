"""Headers that Python's library parses in quadratic time are refused, or cut, before parsing."""

import io
import sys
from typing import Any

import pytest
from allauth.core import context
from django.test import Client, RequestFactory
from waitress.adjustments import Adjustments
from waitress.parser import ParsingError

from accounts.sign_in.adapter import MAX_URL_CHARACTERS, Adapter
from config.processes.web_server import MAX_LEADING_BLANKS, Request
from config.web.wsgi import MAX_CONTENT_TYPE_CHARACTERS, application

pytestmark = pytest.mark.django_db


def ask(**environment: Any) -> tuple[str, bytes, dict[str, Any]]:
    """Status and body of a response of the WSGI application, and its request."""
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/health/live",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.url_scheme": "http",
        **environment,
    }
    statuses: list[str] = []

    def start(status: str, headers: object, exc_info: object = None) -> Any:
        statuses.append(status)

    body = b"".join(application(environ, start))
    return statuses[0], body, environ


@pytest.mark.parametrize("cookies", ['a="' + "\\" * 2_000 + '"', "a=" + "b" * 9_000])
def test_cookies_that_no_browser_of_ours_has_are_refused_in_a_sentence(cookies: str) -> None:
    status, body, _ = ask(HTTP_COOKIE=cookies)
    assert status.startswith("431 ")
    assert b"Delete them" in body


def test_usual_cookies_are_read() -> None:
    assert ask(HTTP_COOKIE="sessionid=" + "a" * 32 + '; messages="' + '\\"' * 200 + '"')[0] == (
        "204 No Content"
    )


def test_a_content_type_is_cut() -> None:
    status, _, environ = ask(CONTENT_TYPE='text/plain;x="' + ";" * 30_000)
    assert status == "204 No Content"
    assert len(environ["CONTENT_TYPE"]) == MAX_CONTENT_TYPE_CHARACTERS


def parse(headers: bytes) -> None:
    Request(Adjustments()).parse_header(b"GET / HTTP/1.1\r\nHost: a\r\n" + headers)


@pytest.mark.parametrize(
    "headers",
    [
        b"A:" + b" " * 32_000 + b"b",
        b"A:" + b"\t" * 32_000 + b"b",
        b"A: b\r\nC:" + b" \t" * 9_000,
        b"A:" + b"\r\n " * 10_000 + b"b",
    ],
)
def test_runs_of_blanks_before_a_value_are_a_bad_request(headers: bytes) -> None:
    with pytest.raises(ParsingError):
        parse(headers)


def test_some_blanks_and_blanks_inside_a_value_are_accepted() -> None:
    parse(b"A:" + b" " * MAX_LEADING_BLANKS + b"b" + b" " * 500 + b"c\r\nD:e\r\nF: \r\n")


def test_the_redirect_address_is_never_too_long(rf: RequestFactory) -> None:
    request = rf.get("/", headers={"Host": "localhost"})
    adapter = Adapter(request)
    with context.request_context(request):
        assert adapter.is_safe_url("/match/7/")
        assert adapter.is_safe_url("/" + "a" * (MAX_URL_CHARACTERS - 1))
        assert not adapter.is_safe_url("/" + "a" * MAX_URL_CHARACTERS)
    combining = "https://a" + "\u0301" * 30_000 + "\u0323" * 30_000 + "/"
    response = Client().post("/account/login/", {"next": combining, "login": "a", "password": "b"})
    assert response.status_code == 200


def test_a_long_login_is_refused_as_wrong() -> None:
    response = Client().post("/account/login/", {"login": "a" * 60_000, "password": "b"})
    assert response.status_code == 200
    assert "at most 320 characters" in response.content.decode()


def test_a_visitor_cannot_send_a_megabyte() -> None:
    text = {"text": "x" * 300_000}
    assert Client().post("/archive/records/new/", text).status_code == 413
