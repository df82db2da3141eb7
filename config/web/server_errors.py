"""Error pages: 503 if the database is away or cannot store anything, 500 for all other errors.

Below /api/, these and Django's 400 are problems.
"""

import errno
import logging
import sqlite3
import sys
from collections.abc import Callable, Iterator

import psycopg
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils import translation
from django.views.defaults import bad_request, server_error
from psycopg import errors

from games.api.gate.paths import is_api
from games.api.gate.problems import Problem, suspicious

log = logging.getLogger(__name__)

FULL_RETRY_SECONDS = 300
AWAY_RETRY_SECONDS = 30
# The disk is full, read-only or failing.
SQLITE_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
POSTGRESQL_FULL = (errors.DiskFull, errors.ReadOnlySqlTransaction)
# The file cannot be opened, or others have locked it for too long.
SQLITE_AWAY = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
# OperationalError: no connection, or it broke, or the server or its pooler gave up. The other one
# ends a connection, too.
POSTGRESQL_AWAY = (psycopg.OperationalError, errors.IdleInTransactionSessionTimeout)


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The handler of the URL configuration for requests that Django refuses to read."""
    if not (is_api(request) and isinstance(exception, SuspiciousOperation)):
        return bad_request(request, exception)
    with _language(request):
        return suspicious(exception).response()


def handler500(request: HttpRequest) -> HttpResponse:
    """The handler of the URL configuration, called while the exception is being handled."""
    error = sys.exc_info()[1]
    with _language(request):
        if is_full(error):
            log.error("The database cannot store anything. Is the disk full?")
            return _unavailable(request, "503.html", FULL_RETRY_SECONDS)
        if is_away(error):
            log.error("The database does not answer.")
            return _unavailable(request, "503_away.html", AWAY_RETRY_SECONDS)
        return Problem("internal-error").response() if is_api(request) else server_error(request)


def _language(request: HttpRequest) -> translation.override:
    # Without it, the request has not reached the middleware that activates a language.
    language = getattr(request, "LANGUAGE_CODE", None)
    return translation.override(language or translation.get_language_from_request(request))


def _unavailable(request: HttpRequest, template: str, retry_seconds: int) -> HttpResponse:
    if is_api(request):
        return Problem("unavailable", headers={"Retry-After": str(retry_seconds)}).response()
    # As with Django's 500, the page needs no query.
    page = loader.render_to_string(template)
    headers = {"Retry-After": str(retry_seconds), "Cache-Control": "no-store"}
    return HttpResponse(page, status=503, headers=headers)


def is_full(error: BaseException | None) -> bool:
    """Whether an error or one of its causes says that nothing can be stored."""
    return _any_cause(error, stores_nothing)


def is_away(error: BaseException | None) -> bool:
    """Whether an error or one of its causes says that the database does not answer."""
    return _any_cause(error, answers_nothing)


def stores_nothing(error: BaseException) -> bool:
    """Whether this error of a database or disk says that nothing can be written."""
    match error:
        case sqlite3.Error():
            return _sqlite_kind(error) in SQLITE_FULL
        case OSError():
            return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
    return isinstance(error, POSTGRESQL_FULL)


def answers_nothing(error: BaseException) -> bool:
    """Whether this error of a database says that it cannot be reached, or did not answer."""
    if isinstance(error, sqlite3.Error):
        return _sqlite_kind(error) in SQLITE_AWAY
    return isinstance(error, POSTGRESQL_AWAY)


def _sqlite_kind(error: sqlite3.Error) -> int:
    # The lowest byte is the kind of the error.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _any_cause(error: BaseException | None, says: Callable[[BaseException], bool]) -> bool:
    return any(map(says, _causes(error)))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its chain of causes."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
