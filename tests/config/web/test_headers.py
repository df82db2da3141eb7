"""Headers of every kind of response: pages, static files, the API; and the method TRACE."""

from contextlib import closing

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db

PATHS = (
    "/",
    "/account/login/",
    "/help/lattaque/",
    "/no-such-page/",
    "/health/live",
    "/robots.txt",
    "/static/js/app.js",
    "/static/svg/army.svg",
    "/api/v1/presets",
    "/api/v1/account",
    "/api/v1/no-such-path",
    "/api/docs/",
)


@pytest.fixture
def browser(settings: Settings) -> Client:
    settings.SECURE_HSTS_SECONDS = 365 * 24 * 3600
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    return Client()


@pytest.mark.parametrize("path", PATHS)
def test_every_response_has_the_headers_of_protection(browser: Client, path: str) -> None:
    with closing(browser.get(path, secure=True)) as answer:
        headers = answer.headers
    assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", PATHS)
def test_trace_is_refused_everywhere(browser: Client, path: str) -> None:
    answer = browser.trace(path, headers={"X-Canary": "echo"})
    assert answer.status_code in (404, 405)
    assert b"echo" not in answer.getvalue()


def test_only_static_files_may_be_read_by_other_sites(browser: Client) -> None:
    origin = {"Origin": "https://evil.example"}
    shared = set()
    for path in PATHS:
        with closing(browser.get(path, headers=origin)) as answer:
            if "Access-Control-Allow-Origin" in answer.headers:
                shared.add(path)
    assert shared == {"/robots.txt", "/static/js/app.js", "/static/svg/army.svg"}
