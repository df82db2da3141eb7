"""The nudges of the table: what time brings about, without anybody visiting."""

from celery import shared_task

from games.play import timekeeper


@shared_task
def sweep() -> None:
    timekeeper.sweep()
