"""Celery task of competitions; idempotent."""

from celery import shared_task

from games.competitions import sweeps


@shared_task
def tick() -> None:
    """Do what is due on ladders and in tournaments."""
    sweeps.run()
