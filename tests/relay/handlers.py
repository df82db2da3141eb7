"""A relay table for tests: what the rooms above the outbox would do, in a line each."""

from django.core.mail import EmailMessage, get_connection

from games.relay.models import Dispatch
from games.relay.outbox import Batch, Superseded, goes_outside


def on_letter(dispatch: Dispatch, batch: Batch) -> None:
    """A letter over one connection a batch, as the post room sends it."""

    def connect() -> object:
        connection = get_connection()
        connection.open()
        return connection

    letter = EmailMessage(
        "Your turn",
        "It is your turn.",
        "post@example.org",
        ["alice@example.org"],
        headers={"Message-ID": dispatch.message_id},
        connection=batch.keep("smtp", connect),
    )
    letter.send()


def on_stale(dispatch: Dispatch, batch: Batch) -> None:
    raise Superseded


def on_mistake(dispatch: Dispatch, batch: Batch) -> None:
    raise KeyError("the Captain on a3")


def on_nothing(dispatch: Dispatch, batch: Batch) -> None:
    pass


@goes_outside
def on_call(dispatch: Dispatch, batch: Batch) -> None:
    """A call on somebody's own address; tests say what becomes of it."""


HANDLERS = {
    "letter": ("tests.relay.handlers.on_letter",),
    "stale": ("tests.relay.handlers.on_stale",),
    "mistake": ("tests.relay.handlers.on_mistake",),
    "nothing": ("tests.relay.handlers.on_nothing",),
    "call": ("tests.relay.handlers.on_call",),
    "two-things": ("tests.relay.handlers.on_nothing", "tests.relay.handlers.on_stale"),
}
