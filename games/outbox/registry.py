"""Registry of the outbox: which handlers an event has, and which function a handler's key means.

Rows hold keys ("notify", "push"), never paths of modules: a module that is moved loses no row. The
two tables are named by settings, since the outbox knows nothing of the rooms above it.
"""

from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

from games.outbox.handling import Handler, OtherVersion, is_external


def keys_of(event: str) -> tuple[str, ...]:
    """The handlers of an event by their keys; raises LookupError for an unknown event."""
    keys = _events(settings.OUTBOX_EVENTS)(event)
    if not keys:
        raise LookupError(f"There is no handler of {event}.")
    return keys


def handler_of(key: str) -> Handler:
    """The function behind a key; raises OtherVersion for one that this version does not know."""
    try:
        path = _paths(settings.OUTBOX_HANDLERS)[key]
    except KeyError:
        raise OtherVersion(f"handler {key}") from None
    handler: Handler = import_string(path)
    return handler


def external_keys() -> tuple[str, ...]:
    """The keys of the handlers that call addresses of people's own choice."""
    return _external(settings.OUTBOX_HANDLERS)


@cache
def _external(name: str) -> tuple[str, ...]:
    paths = _paths(name)
    return tuple(sorted(key for key, path in paths.items() if is_external(import_string(path))))


@cache
def _paths(name: str) -> dict[str, str]:
    paths: dict[str, str] = import_string(name)
    return paths


@cache
def _events(name: str) -> Callable[[str], tuple[str, ...]]:
    events: Callable[[str], tuple[str, ...]] = import_string(name)
    return events
