"""Wake-ups of the house: a subscriber that wakes a worker when an event concerns the house."""

from games.outbox.events import Event
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.outbox.wake_worker import wake_worker

ANSWER = "games.house.tasks.answer"


def rows(event: Event) -> tuple[None, ...]:
    """The dispatches of an event: one if it concerns the house, else none."""
    return (None,) if event.concerns_house else ()


def on_event(dispatch: Dispatch, batch: Batch) -> None:
    """Handler of an event that concerns the house: wakes a worker."""
    send()


def send() -> None:
    """Wake a worker to look for turns and offers. Does not wait for it.

    If the wake-up is lost, the next tick covers it.
    """
    wake_worker(ANSWER)
