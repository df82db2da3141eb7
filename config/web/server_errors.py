"""The page of a failure: 503 where the database can store nothing, 500 for all others."""

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
# "database or disk is full", and what SQLite says where it may not write or the disk fails.
SQLITE_CODES = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)
POSTGRESQL_ERRORS = (errors.DiskFull, errors.ReadOnlySqlTransaction)


def handler500(request: HttpRequest) -> HttpResponse:
    """Named by the URL configuration; called while the exception is being handled."""
    if is_full(sys.exc_info()[1]):
        log.error("The database can store nothing: is the disk full?")
        # Like the page of a 500, it asks the database nothing.
        page = loader.render_to_string("503.html")
        headers = {"Retry-After": str(RETRY_AFTER_SECONDS), "Cache-Control": "no-store"}
        return HttpResponse(page, status=503, headers=headers)
    return server_error(request)


def is_full(error: BaseException | None) -> bool:
    """Whether an error, or one that it came from, says that nothing can be stored."""
    return any(map(stores_nothing, _causes(error)))


def stores_nothing(error: BaseException) -> bool:
    """Whether a database or a disk says by it that nothing can be written."""
    match error:
        case sqlite3.Error():
            # The lowest byte is the kind of the error.
            return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in SQLITE_CODES
        case OSError():
            return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
    return isinstance(error, POSTGRESQL_ERRORS)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what it came from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
