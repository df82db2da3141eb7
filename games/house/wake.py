"""Wakes a worker of the house when an event concerns it."""

from games.outbox.events import Event
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.outbox.wake_worker import wake_worker

ANSWER = "games.house.tasks.answer"


def rows(event: Event) -> tuple[None, ...]:
    """One row for an event that concerns the house, else none."""
    return (None,) if event.concerns_house else ()


def on_event(dispatch: Dispatch, batch: Batch) -> None:
    """Handler of events that concern the house: it may have to answer."""
    wake()


def wake() -> None:
    """Make a worker look soon at what waits for the house. Returns at once.

    If the wake-up is lost, beat sends another some seconds later.
    """
    wake_worker(ANSWER)
