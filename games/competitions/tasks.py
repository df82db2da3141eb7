"""Celery task of competitions; idempotent."""

from celery import shared_task

from games.competitions import sweeps


@shared_task
def sweep() -> None:
    """Do what is due in ladders and tournaments."""
    for _name, _count in sweeps.run_all():
        pass
