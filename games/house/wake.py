"""Wakes a worker of the house; if the wake-up is lost, beat sends another some seconds later."""

from games.outbox.wake_worker import wake_worker

ANSWER = "games.house.tasks.answer"


def wake() -> None:
    """See to it that a worker soon looks at what waits for the house. Returns at once."""
    wake_worker(ANSWER)
