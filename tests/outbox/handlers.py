"""Handlers for tests: what the rooms above the outbox would do, in a line each."""

from django.core.mail import EmailMessage

from games.notifications.email.sending import delivery
from games.outbox.handling import Batch, Superseded, calls_external_address
from games.outbox.models import Dispatch


def on_letter(dispatch: Dispatch, batch: Batch) -> None:
    """An e-mail over one connection a batch, as the post room sends it."""
    letter = EmailMessage(
        "Your turn",
        "It's your turn.",
        "post@example.org",
        ["alice@example.org"],
        headers={"Message-ID": dispatch.message_id},
    )
    delivery.hand_over(letter, batch)


def on_stale(dispatch: Dispatch, batch: Batch) -> None:
    raise Superseded


def on_mistake(dispatch: Dispatch, batch: Batch) -> None:
    raise KeyError("the Captain on a3")


def on_nothing(dispatch: Dispatch, batch: Batch) -> None:
    pass


@calls_external_address
def on_call(dispatch: Dispatch, batch: Batch) -> None:
    """A call on somebody's own address; tests say what becomes of it."""


HANDLERS = {
    "letter": "tests.outbox.handlers.on_letter",
    "stale": "tests.outbox.handlers.on_stale",
    "mistake": "tests.outbox.handlers.on_mistake",
    "nothing": "tests.outbox.handlers.on_nothing",
    "call": "tests.outbox.handlers.on_call",
}


def handlers_of(event: str) -> tuple[str, ...]:
    """Each handler has an event of its own name, and one event has two handlers."""
    if event == "two-things":
        return ("nothing", "stale")
    return (event,) if event in HANDLERS else ()
