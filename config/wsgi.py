"""WSGI application, which `manage.py serve` and `manage.py up` answer with."""

import os
from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.utils.http import parse_header_parameters

from config.keys import insist_on_keys
from config.start_check import insist_on_safe_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Request(WSGIRequest):
    """A request whose text is read as UTF-8, whatever its client says that it is.

    Browsers send nothing else. Django would take any of Python's codecs by its name, and so fail
    with those that are for no text before anything of ours can answer.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        given = meta.get("CONTENT_TYPE", "")
        self.content_type, self.content_params = parse_header_parameters(given)


class Application(WSGIHandler):
    request_class = Request


django.setup(set_prefix=False)
insist_on_safe_settings()
application = Application()
insist_on_keys()
