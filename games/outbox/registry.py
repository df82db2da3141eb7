"""Registry of the outbox: the subscribers of each event, and the function behind each key.

Rows hold keys ("notify", "push") and no module paths, so that modules can be moved. Settings name
the tables, since the outbox must not import the rooms above it.
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
    """One row without a user."""
    return (None,)


def row_of_person(event: Event) -> Iterable[int | None]:
    """A row for each of the people, or one without a user if there is nobody."""
    return [person.id for person in event.people] or [None]


@dataclass(frozen=True)
class Subscriber:
    """A subscriber of events: gets a row for each user id that `rows` returns for the event.

    `rows` runs in the publisher's transaction, so it must not query the database.
    """

    key: str  # stored in rows
    handler: str  # the path of the function that is called when a row is due
    rows: Callable[[Any], Iterable[int | None]] = one_row
    urgent: bool = False  # delivered before all other due rows, since a user is waiting for it


Subscribers = Mapping[type[Event], tuple[Subscriber, ...]]


def subscribers_of(event: Event) -> tuple[Subscriber, ...]:
    """The subscribers of an event; raises LookupError if it is not in the table."""
    table: Subscribers = import_string(settings.OUTBOX_SUBSCRIBERS)
    try:
        return table[type(event)]
    except KeyError:
        raise LookupError(f"config/subscribers.py has no entry for {event.name}.") from None


def handler_of(key: str) -> Handler:
    """The function behind a key; raises OtherVersion for an unknown key."""
    path = _paths(settings.OUTBOX_SUBSCRIBERS, settings.OUTBOX_HANDLERS).get(key)
    if path is None:
        raise OtherVersion(f"handler {key}")
    handler: Handler = import_string(path)
    return handler


def handler_keys() -> list[str]:
    """The keys of all handlers, as rows name them, in their order."""
    return sorted(_paths(settings.OUTBOX_SUBSCRIBERS, settings.OUTBOX_HANDLERS))


def public_events() -> list[str]:
    """The names of the events that staff may know of, in their order."""
    table: Subscribers = import_string(settings.OUTBOX_SUBSCRIBERS)
    return sorted({event.name for event in table if not event.private})


def external_keys() -> tuple[str, ...]:
    """The keys of the handlers that call URLs entered by users."""
    return _external(settings.OUTBOX_SUBSCRIBERS, settings.OUTBOX_HANDLERS)


def private_events() -> list[str]:
    """The names of the events of which only the people concerned may know."""
    table: Subscribers = import_string(settings.OUTBOX_SUBSCRIBERS)
    return [event.name for event in table if event.private]


@cache
def _external(subscribers: str, handlers: str) -> tuple[str, ...]:
    paths = _paths(subscribers, handlers)
    return tuple(sorted(key for key, path in paths.items() if is_external(import_string(path))))


def _paths(subscribers: str, handlers: str) -> dict[str, str]:
    """The path of the function behind each key of both tables."""
    table: Subscribers = import_string(subscribers)
    paths: Mapping[str, str] = import_string(handlers)
    return dict(paths) | {entry.key: entry.handler for row in table.values() for entry in row}
