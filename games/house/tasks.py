"""Celery task of the house, in its own queue (settings.HOUSE_QUEUE). Idempotent."""

from celery import shared_task

from games.house import wake_ups
from games.house.playing import queue, seats


@shared_task
def answer() -> None:
    """Answer offers and turns that wait for the house."""
    queue.work()
    if seats.any_due():
        wake_ups.send()
