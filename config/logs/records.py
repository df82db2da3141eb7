"""Logs: records as lines or JSON, each with the id of the request or task that it belongs to.

Everything here logs by the standard library, so a filter and two formatters do; web server, worker
and beat use the same ones (LOGGING in the settings).
"""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

from django.http import HttpRequest

from lib.log_paths import place

# Unknown host names, bodies that are too large and the like; each logger is named after its kind.
STRANGERS = "django.security."

_bound: ContextVar[dict[str, Any] | None] = ContextVar("bound", default=None)


@contextmanager
def bound(**more: Any) -> Iterator[None]:
    """Within the block, each record of this thread has these facts."""
    token = _bound.set({**facts(), **more})
    try:
        yield
    finally:
        _bound.reset(token)


def bind(**only: Any) -> None:
    """From here on, each record of this thread has these facts and no others."""
    _bound.set(only)


def facts() -> dict[str, Any]:
    """What is bound just now."""
    return _bound.get() or {}


class ContextFilter(logging.Filter):
    """Gives a record its facts: those that are bound, and those it brings along as `facts`.

    Django's records about a request name the path, which may hold a token; they get the route.
    What strangers can cause at will is no error, and is told in a line without what they sent.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith(STRANGERS):
            _shorten(record)
        context = facts() | getattr(record, "facts", {})
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            # Django logs a refusal after all middleware, when nothing is bound any more.
            context["request_id"] = getattr(request, "request_id", "")
            _hide_path(record, request)
        record.context = context
        return True


def _shorten(record: logging.LogRecord) -> None:
    record.levelno, record.levelname = logging.WARNING, "WARNING"
    record.msg, record.args = "a request was refused as malformed", ()
    record.exc_info = record.exc_text = None


def _hide_path(record: logging.LogRecord, request: HttpRequest) -> None:
    spellings = (request.path, request.path.encode("unicode_escape").decode())
    if isinstance(record.args, tuple):
        record.args = tuple(place(request) if arg in spellings else arg for arg in record.args)


class QuietTicks(logging.Filter):
    """Leaves out what beat says at every tick of its schedule."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("Scheduler: Sending due task")


class LineFormatter(logging.Formatter):
    """Time, level, logger and message, then facts as name=value."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging names it.
        context = getattr(record, "context", {})
        pairs = (f"{name}={fact}" for name, fact in context.items())
        return " ".join([super().formatMessage(record), *pairs])


class JsonFormatter(logging.Formatter):
    """An object on a line of its own; of what a record has, no more than is named here."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "context", {}),
        }
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return json.dumps(said, default=str)


class LogFile(WatchedFileHandler):
    """A file that any number of processes append to; moved away by logrotate, it is made anew.

    Whatever is wrong with it, a record is lost and no request.
    """

    def __init__(self, filename: str) -> None:
        super().__init__(filename, encoding="utf-8", delay=True)

    def write_nothing(self) -> None:
        """Make the file, if it is not there; raises OSError if it cannot be written."""
        self._open().close()

    def _open(self) -> Any:
        only_ours = partial(os.open, mode=0o600)
        return open(self.baseFilename, "a", encoding=self.encoding, opener=only_ours)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            super().emit(record)
        except OSError:
            self.handleError(record)


def logging_config(level: str, style: str, file: Path | None = None) -> dict[str, Any]:
    """LOGGING of the settings; `style` is "line" or "json", and without a file it is stderr."""
    handler: dict[str, Any] = {"class": "logging.StreamHandler"}
    if file:
        handler = {"class": "config.logs.records.LogFile", "filename": str(file)}
    # Two lines for each tick of the schedule say nothing, as long as it succeeds.
    ticks = {"level": "WARNING"} if level == "INFO" else {}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "context": {"()": "config.logs.records.ContextFilter"},
            "quiet ticks": {"()": "config.logs.records.QuietTicks"},
        },
        "formatters": {
            "line": {"()": "config.logs.records.LineFormatter"},
            "json": {"()": "config.logs.records.JsonFormatter"},
        },
        "handlers": {
            "log": {
                **handler,
                "formatter": style,
                "filters": ["context"],
                # Here, since some loggers have a level of their own.
                "level": level,
            }
        },
        "root": {"handlers": ["log"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # A statement's parameters must not reach a log, at any level.
            "django.db.backends": {"handlers": [], "level": "INFO", "propagate": False},
            "celery.worker.strategy": ticks,
            "celery.app.trace": ticks,
            "celery.beat": {"filters": ["quiet ticks"] if ticks else []},
        },
    }
