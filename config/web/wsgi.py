"""WSGI application: Django's, with limits on headers that are slow to parse.

`manage.py serve` and `manage.py up` serve it.
"""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.utils.http import parse_header_parameters

from config.keys.key_files import require_keys
from config.processes.start_check import require_safe_settings

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

MAX_COOKIES_CHARACTERS = 8 * 1024
MAX_BACKSLASHES = 1_000  # Django's cookie of messages has some dozens
MAX_CONTENT_TYPE_CHARACTERS = 300


class Request(WSGIRequest):
    """A request that is always decoded as UTF-8, whatever charset its header names.

    Browsers send nothing else. Django would use any Python codec of that name, and crash on those
    that are not for text.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        given = meta.get("CONTENT_TYPE", "")
        self.content_type, self.content_params = parse_header_parameters(given)


class Application(WSGIHandler):
    """The WSGI application, which limits headers that Python's library parses slowly.

    Cookies take quadratic time in the backslashes of a value, content types in the semicolons
    within quotation marks.
    """

    request_class = Request

    def __call__(  # type: ignore[override]
        self, environ: dict[str, Any], start_response: "StartResponse"
    ) -> Iterable[bytes]:
        cookies = environ.get("HTTP_COOKIE", "")
        if len(cookies) > MAX_COOKIES_CHARACTERS or cookies.count("\\") > MAX_BACKSLASHES:
            start_response(
                "431 Request Header Fields Too Large",
                [("Content-Type", "text/plain; charset=utf-8")],
            )
            return [b"The cookies for this site are too long. Delete them, and log in again.\n"]
        environ["CONTENT_TYPE"] = environ.get("CONTENT_TYPE", "")[:MAX_CONTENT_TYPE_CHARACTERS]
        answer: Iterable[bytes] = super().__call__(environ, start_response)
        return answer


django.setup(set_prefix=False)
require_safe_settings()
application = Application()
require_keys()
