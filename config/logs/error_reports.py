"""Error reports to a Sentry-compatible service, if SENTRY_DSN names one.

A report says which exception was raised where, and in which request or task; it is made anew from
what is listed here. What exceptions and records say, variables, headers, forms and paths may hold
ranks, codes, tokens and addresses, and stay on this machine.
"""

import logging
from typing import Any

from config.logs import records

# Nothing that is made of a request, nor the texts of anybody.
KEPT = ("event_id", "timestamp", "platform", "level", "logger", "release", "environment")
KEPT_OF_EXCEPTION = ("type", "module")
KEPT_OF_FRAME = ("filename", "function", "module", "lineno", "in_app")
OURS = ("accounts", "config", "games", "lib")


def start(dsn: str) -> None:
    """Report every uncaught exception of views and tasks, and whatever is logged as an error."""
    # It is imported by nobody who does not want it.
    import sentry_sdk
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.dedupe import DedupeIntegration
    from sentry_sdk.integrations.django import DjangoIntegration
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn=dsn,
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
    """An event with nothing in it but what is listed above; none for what anybody can cause."""
    if str(event.get("logger", "")).startswith("django.security"):
        return None
    report = {key: event[key] for key in KEPT if key in event}
    report["tags"] = {name: str(fact) for name, fact in records.facts().items()}
    if raised := (event.get("exception") or {}).get("values"):
        report["exception"] = {"values": [_exception(one) for one in raised]}
    if said := _template(event):
        report["logentry"] = {"message": said}
    return report


def _exception(raised: dict[str, Any]) -> dict[str, Any]:
    frames = (raised.get("stacktrace") or {}).get("frames") or []
    stack = [{key: frame.get(key) for key in KEPT_OF_FRAME} for frame in frames]
    kept = {key: raised.get(key) for key in KEPT_OF_EXCEPTION}
    return {**kept, "stacktrace": {"frames": stack}}


def _template(event: Any) -> str:
    """What one of our own modules has logged, before anything is put into it."""
    is_ours = str(event.get("logger", "")).partition(".")[0] in OURS
    return str((event.get("logentry") or {}).get("message", "")) if is_ours else ""
