"""Error reports to a Sentry-compatible service, if SENTRY_DSN names one.

A report says which exception was raised where, and in which request or task. It is built from the
fields listed here only: messages, variables, headers, forms and paths may hold ranks, codes, tokens
and addresses, and stay on this machine.
"""

import logging
from typing import Any

from config.environment.version import version
from lib import log_context

# Nothing from the request, and no free text.
KEPT = ("event_id", "timestamp", "platform", "level", "logger", "release", "environment")
KEPT_OF_EXCEPTION = ("type", "module")
KEPT_OF_FRAME = ("filename", "function", "module", "lineno", "in_app")
OURS = ("accounts", "config", "games", "lib")


def start(dsn: str) -> None:
    """Report uncaught exceptions of views and tasks, and every record at level ERROR."""
    # Imported here, since most installations do not use it.
    import sentry_sdk
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.dedupe import DedupeIntegration
    from sentry_sdk.integrations.django import DjangoIntegration
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn=dsn,
        release=f"estafette@{version()}",
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            CeleryIntegration(),
            DedupeIntegration(),
            DjangoIntegration(),
            LoggingIntegration(level=None, event_level=logging.ERROR),
        ],
        before_send=strip,
        send_default_pii=False,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        send_client_reports=False,
    )


def strip(event: Any, _hint: Any) -> Any:
    """The event reduced to the fields above; None for records that any visitor can cause."""
    if str(event.get("logger", "")).startswith("django.security"):
        return None
    report = {key: event[key] for key in KEPT if key in event}
    report["tags"] = {name: str(value) for name, value in log_context.context().items()}
    if raised := (event.get("exception") or {}).get("values"):
        report["exception"] = {"values": [_exception(each) for each in raised]}
    if message := _template(event):
        report["logentry"] = {"message": message}
    return report


def _exception(raised: dict[str, Any]) -> dict[str, Any]:
    frames = (raised.get("stacktrace") or {}).get("frames") or []
    stack = [{key: frame.get(key) for key in KEPT_OF_FRAME} for frame in frames]
    kept = {key: raised.get(key) for key in KEPT_OF_EXCEPTION}
    return {**kept, "stacktrace": {"frames": stack}}


def _template(event: Any) -> str:
    """The message of a record of our own modules, before its arguments are filled in."""
    is_ours = str(event.get("logger", "")).partition(".")[0] in OURS
    return str((event.get("logentry") or {}).get("message", "")) if is_ours else ""
