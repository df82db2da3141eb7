"""Registry of the outbox: who subscribes to an event, and which function a handler's key means.

Rows hold keys ("notify", "push"), never paths of modules: a module that is moved loses no row. The
tables are named by settings, since the outbox knows nothing of the rooms above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from games.outbox.events import Event
from games.outbox.handling import Handler, OtherVersion, is_external


def one_row(event: Any) -> Iterable[int | None]:
    """One row that belongs to nobody."""
    return (None,)


@dataclass(frozen=True)
class Subscriber:
    """Who is to hear of events: one row for each user that `rows` names, or none at all.

    `rows` is asked in the publisher's transaction, so it must not query the database.
    """

    key: str  # stands in rows
    handler: str  # the path of the function that is called when a row is due
    rows: Callable[[Any], Iterable[int | None]] = one_row
    urgent: bool = False  # somebody waits for it: it is delivered before whatever else is due


Subscribers = Mapping[type[Event], tuple[Subscriber, ...]]


def subscribers_of(event: Event) -> tuple[Subscriber, ...]:
    """The subscribers of an event; raises LookupError for an event that is not in the table."""
    table: Subscribers = import_string(settings.OUTBOX_SUBSCRIBERS)
    try:
        return table[type(event)]
    except KeyError:
        raise LookupError(f"config/subscribers.py has no entry for {event.name}.") from None


def handler_of(key: str) -> Handler:
    """The function behind a key; raises OtherVersion for one that this version does not know."""
    path = _paths(settings.OUTBOX_SUBSCRIBERS, settings.OUTBOX_HANDLERS).get(key)
    if path is None:
        raise OtherVersion(f"handler {key}")
    handler: Handler = import_string(path)
    return handler


def external_keys() -> tuple[str, ...]:
    """The keys of the handlers that call addresses of people's own choice."""
    return _external(settings.OUTBOX_SUBSCRIBERS, settings.OUTBOX_HANDLERS)


@cache
def _external(subscribers: str, handlers: str) -> tuple[str, ...]:
    paths = _paths(subscribers, handlers)
    return tuple(sorted(key for key, path in paths.items() if is_external(import_string(path))))


def _paths(subscribers: str, handlers: str) -> dict[str, str]:
    """The path of the function behind each key of both tables."""
    table: Subscribers = import_string(subscribers)
    paths: Mapping[str, str] = import_string(handlers)
    return dict(paths) | {one.key: one.handler for several in table.values() for one in several}
