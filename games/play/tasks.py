"""The nudges of the table: what time brings about, without anybody visiting."""

from celery import shared_task

from games.play import outages, rehearsal, timekeeper


@shared_task
def beat() -> None:
    """Write down that the service is alive, and give back the time for which it was not."""
    if rehearsal.is_served():
        outages.beat()
        outages.settle()


@shared_task
def sweep() -> None:
    if rehearsal.is_served():
        timekeeper.sweep()
