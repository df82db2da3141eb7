"""Celery task of house opponents, in a queue of its own (settings.HOUSE_QUEUE). Idempotent."""

from celery import shared_task

from games.house import wake
from games.house.playing import queue, seats


@shared_task
def answer() -> None:
    """Answer what waits for the house."""
    queue.work()
    if seats.are_due():
        wake.wake()
