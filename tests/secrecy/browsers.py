"""Browsers that keep every byte the server sent: status, headers in their order, body.

They call the application by WSGI, with cookies and CSRF tokens. Nothing is left out or normalized.
"""

import json
import sys
from http.cookies import SimpleCookie
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import got_request_exception

TOKEN = "t" * 32  # of every browser's forms; the server masks it differently in each


class Browser:
    """A reader's browser; `session` is the key of a session, or none.

    With a `token` it is a program that uses the API.
    """

    app: WSGIHandler | None = None

    def __init__(self, session: str = "", *, token: str = "") -> None:
        self.cookies = {settings.CSRF_COOKIE_NAME: TOKEN}
        if session:
            self.cookies[settings.SESSION_COOKIE_NAME] = session
        self.token = token
        self.failure: BaseException | None = None

    def get(self, path: str, query: dict[str, Any] | None = None) -> tuple[int, bytes]:
        return self._ask("GET", path, urlencode(query or {}, doseq=True), b"")

    def post(self, path: str, fields: dict[str, Any] | None = None) -> tuple[int, bytes]:
        sent = urlencode({**(fields or {}), "csrfmiddlewaretoken": TOKEN}).encode()
        return self._ask("POST", path, "", sent)

    def ask(
        self,
        method: str,
        path: str,
        query: dict[str, Any],
        body: object,
        known: str = "",
        key: str = "",
    ) -> tuple[int, bytes]:
        """A request of a program: JSON unless `body` is None; the ETag it knows, and its key."""
        more = {"CONTENT_TYPE": "application/json"}
        if self.token:
            more["HTTP_AUTHORIZATION"] = f"Bearer {self.token}"
        if known:
            more["HTTP_IF_NONE_MATCH"] = known
        if key:
            more["HTTP_IDEMPOTENCY_KEY"] = key
        sent = b"" if body is None else json.dumps(body).encode()
        return self._ask(method, path, urlencode(query), sent, more)

    def _ask(
        self, method: str, path: str, query: str, sent: bytes, more: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """The status, and all bytes of the response."""
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost:8000",
            "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(sent)),
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(sent),
            "wsgi.errors": sys.stderr,
            "wsgi.version": (1, 0),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            **(more or {}),
        }
        head: list[str] = []

        def start(status: str, headers: list[tuple[str, str]], *_: Any) -> None:
            head.extend([status, *(f"{name}: {value}" for name, value in headers)])
            for name, value in headers:
                if name == "Set-Cookie":
                    self._keep(value)

        if Browser.app is None:
            Browser.app = WSGIHandler()
        self.failure = None
        got_request_exception.connect(self._fail)
        try:
            answer = Browser.app(environ, start)
            try:
                body = b"".join(answer)
            finally:
                answer.close()
        finally:
            got_request_exception.disconnect(self._fail)
        return int(head[0].split()[0]), "\r\n".join([*head, "", ""]).encode() + body

    def _keep(self, header: str) -> None:
        for morsel in SimpleCookie(header).values():
            self.cookies[morsel.key] = morsel.value
            if morsel["max-age"] == "0":
                del self.cookies[morsel.key]

    def _fail(self, **_: Any) -> None:
        self.failure = sys.exc_info()[1]
