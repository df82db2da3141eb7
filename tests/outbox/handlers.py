"""Handlers for tests: what the rooms above the outbox would do, in a line each."""

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
    """An e-mail over one connection a batch, as the post room sends it."""
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
    """A call on somebody's own address; tests say what becomes of it."""


@dataclass(frozen=True, kw_only=True)
class Codes(Event):
    """Somebody waits for what is sent about it."""

    name = "codes"

    email: int


@dataclass(frozen=True, kw_only=True)
class Moved(Event):
    """Two subscribers hear of it; one of them only for players who are not the house."""

    name = "moved"

    match: int
    ply: int


@dataclass(frozen=True, kw_only=True)
class Ended(Event):
    """Two subscribers send an e-mail about it, each by a row of its own."""

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
    """A row for the handler whose name the event has, and two rows for two things."""
    for handler in ("nothing", "stale") if event == "two-things" else (event,):
        enqueue(handler, event, user=user, **ids)
