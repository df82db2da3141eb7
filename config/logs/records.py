"""Log records as lines or JSON, each with the id of its request or task.

All code logs through the standard library, so a filter and two formatters are enough. Web server,
worker and beat use the same ones (LOGGING in the settings).
"""

import json
import logging
import os
from datetime import UTC, datetime
from functools import partial
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

from django.http import HttpRequest

from lib.log_context import context, safe_path

# Loggers of unknown host names, bodies that are too large and the like, by kind.
MALFORMED_REQUESTS = "django.security."


class ContextFilter(logging.Filter):
    """Sets a record's `context`: the bound fields, and the record's own `fields`.

    Django's records about a request contain the path, which may hold a token; it is replaced by the
    route. Malformed requests are not errors: they become one warning without what was sent.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith(MALFORMED_REQUESTS):
            _shorten(record)
        fields = context() | getattr(record, "fields", {})
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            # Django logs an error response after all middleware, when the binding has ended.
            fields["request_id"] = getattr(request, "request_id", "")
            _hide_path(record, request)
        record.context = fields
        return True


def _shorten(record: logging.LogRecord) -> None:
    record.levelno, record.levelname = logging.WARNING, "WARNING"
    record.msg, record.args = "a request was refused as malformed", ()
    record.exc_info = record.exc_text = None


def _hide_path(record: logging.LogRecord, request: HttpRequest) -> None:
    spellings = (request.path, request.path.encode("unicode_escape").decode())
    if isinstance(record.args, tuple):
        record.args = tuple(safe_path(request) if arg in spellings else arg for arg in record.args)


class QuietTicks(logging.Filter):
    """Drops beat's record for every tick of its schedule."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("Scheduler: Sending due task")


class LineFormatter(logging.Formatter):
    """Time, level, logger and message, then the fields as name=value."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 -- logging names it.
        context = getattr(record, "context", {})
        pairs = (f"{name}={value}" for name, value in context.items())
        return " ".join([super().formatMessage(record), *pairs])


class JsonFormatter(logging.Formatter):
    """One JSON object per line, with the fields named here and no others."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "context", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class LogFile(WatchedFileHandler):
    """A file that any number of processes append to; reopened after logrotate has moved it.

    If it cannot be written, the record is lost and the request goes on.
    """

    def __init__(self, filename: str) -> None:
        super().__init__(filename, encoding="utf-8", delay=True)

    def write_nothing(self) -> None:
        """Create the file if it is missing; raises OSError if it cannot be written."""
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
    """LOGGING for the settings; `style` is "line" or "json"; without a file, logs go to stderr."""
    handler: dict[str, Any] = {"class": "logging.StreamHandler"}
    if file:
        handler = {"class": "config.logs.records.LogFile", "filename": str(file)}
    # Celery logs two lines for each task of the schedule; failures are enough.
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
                # On the handler, since some loggers set their own level.
                "level": level,
            }
        },
        "root": {"handlers": ["log"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # SQL parameters must not reach a log, at any level.
            "django.db.backends": {"handlers": [], "level": "INFO", "propagate": False},
            "celery.worker.strategy": ticks,
            "celery.app.trace": ticks,
            "celery.beat": {"filters": ["quiet ticks"] if ticks else []},
        },
    }
