"""Which requests are for the API."""

from django.http import HttpRequest

ROOT = "/api"
VERSION = "/api/v1"
REFERENCE = "/api/docs"  # a page of the site, for people


def is_api(request: HttpRequest) -> bool:
    """Whether a request is answered with JSON, also if there is nothing at its path."""
    return _is_at(request.path_info, ROOT) and not _is_at(request.path_info, REFERENCE)


def _is_at(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
