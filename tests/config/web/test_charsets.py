"""The charset that a client names causes no error and has no effect."""

import logging
from io import BytesIO
from typing import Any

import pytest
from django.test import RequestFactory

from config.web.wsgi import Request, application

pytestmark = pytest.mark.django_db
FORM, PARTS = "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"
CHARSETS = ["utf-7", "utf-16", "idna", "hex", "unicode_escape", "none", '"', "zip"]


def environ(method: str, content_type: str, body: bytes) -> dict[str, Any]:
    # Without the charset: the test client would use Django's own request.
    made = RequestFactory().generic(method, "/account/login/?next=%2Flobby%2F", body, FORM)
    return made.environ | {"wsgi.input": BytesIO(body), "CONTENT_TYPE": content_type}


@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("kind", [FORM, PARTS])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_charset_is_an_error(
    charset: str, kind: str, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    statuses: list[str] = []

    def start(status: str, _headers: Any, _error: Any = None) -> Any:
        statuses.append(status)

    named = f"{kind}; charset={charset}"
    answer = application(environ(method, named, b"login=caf%C3%A9"), start)
    list(answer)
    assert statuses[0][:3] in ("200", "400", "403")
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_form_is_read_as_utf8(charset: str) -> None:
    request = Request(environ("POST", f"{FORM}; charset={charset}", b"login=caf%C3%A9"))
    assert request.POST["login"] == "café"
    assert request.GET["next"] == "/lobby/"
