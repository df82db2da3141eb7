"""Error pages: 503 if the database cannot store anything, 500 for all other errors."""

import errno
import logging
import sqlite3
import sys
from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.defaults import server_error
from psycopg import errors

log = logging.getLogger(__name__)

RETRY_AFTER_SECONDS = 300
# The disk is full, read-only or failing.
SQLITE_CODES = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
POSTGRESQL_ERRORS = (errors.DiskFull, errors.ReadOnlySqlTransaction)


def handler500(request: HttpRequest) -> HttpResponse:
    """The handler of the URL configuration, called while the exception is being handled."""
    if is_full(sys.exc_info()[1]):
        log.error("The database cannot store anything. Is the disk full?")
        # As with Django's 500, the page needs no query.
        page = loader.render_to_string("503.html")
        headers = {"Retry-After": str(RETRY_AFTER_SECONDS), "Cache-Control": "no-store"}
        return HttpResponse(page, status=503, headers=headers)
    return server_error(request)


def is_full(error: BaseException | None) -> bool:
    """Whether an error or one of its causes says that nothing can be stored."""
    return any(map(stores_nothing, _causes(error)))


def stores_nothing(error: BaseException) -> bool:
    """Whether this error of a database or disk says that nothing can be written."""
    match error:
        case sqlite3.Error():
            # The lowest byte is the kind of the error.
            return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in SQLITE_CODES
        case OSError():
            return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
    return isinstance(error, POSTGRESQL_ERRORS)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its chain of causes."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
