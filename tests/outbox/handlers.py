"""Handlers, events and subscribers for tests, in place of those of the rooms above the outbox."""

from dataclasses import dataclass

from django.core.mail import EmailMessage

from accounts.models import User
from games.notifications.email.sending import delivery
from games.outbox.events import Event
from games.outbox.handling import Batch, Superseded, calls_external_address
from games.outbox.models import Dispatch
from games.outbox.publishing import enqueue
from games.outbox.registry import Subscriber


def on_email(dispatch: Dispatch, batch: Batch) -> None:
    """Send an e-mail over the batch's connection, as notifications do."""
    email = EmailMessage(
        "Your turn",
        "It's your turn.",
        "post@example.org",
        ["alice@example.org"],
        headers={"Message-ID": dispatch.message_id},
    )
    delivery.hand_over(email, batch)


def on_stale(dispatch: Dispatch, batch: Batch) -> None:
    raise Superseded


def on_mistake(dispatch: Dispatch, batch: Batch) -> None:
    raise KeyError("the Captain on a3")


def on_nothing(dispatch: Dispatch, batch: Batch) -> None:
    pass


@calls_external_address
def on_call(dispatch: Dispatch, batch: Batch) -> None:
    """An external call; tests replace it."""


@dataclass(frozen=True, kw_only=True)
class Codes(Event):
    """An urgent event."""

    name = "codes"

    email: int


@dataclass(frozen=True, kw_only=True)
class Moved(Event):
    """Two subscribers; one of them wants no rows for house opponents."""

    name = "moved"

    match: int
    ply: int


@dataclass(frozen=True, kw_only=True)
class Ended(Event):
    """Two subscribers that each send an e-mail."""

    name = "ended"

    match: int


def readers(event: Event) -> list[int]:
    return [person.id for person in event.people if not person.house]


SUBSCRIBERS: dict[type[Event], tuple[Subscriber, ...]] = {
    Ended: (
        Subscriber("email", "tests.outbox.handlers.on_email"),
        Subscriber("second-email", "tests.outbox.handlers.on_email"),
    ),
    Codes: (Subscriber("codes", "tests.outbox.handlers.on_email", urgent=True),),
    Moved: (
        Subscriber("nothing", "tests.outbox.handlers.on_nothing"),
        Subscriber("stale", "tests.outbox.handlers.on_stale", rows=readers),
    ),
}
HANDLERS = {
    "email": "tests.outbox.handlers.on_email",
    "stale": "tests.outbox.handlers.on_stale",
    "mistake": "tests.outbox.handlers.on_mistake",
    "nothing": "tests.outbox.handlers.on_nothing",
    "call": "tests.outbox.handlers.on_call",
}


def post(event: str, *, user: User | int | None = None, **ids: int) -> None:
    """Write a row for the handler named like the event; "two-things" writes two rows."""
    for handler in ("nothing", "stale") if event == "two-things" else (event,):
        enqueue(handler, event, user=user, **ids)
