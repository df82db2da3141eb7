"""Celery task of the archive: makes films. Idempotent."""

from celery import shared_task

from games.archive.films import making


@shared_task
def make_film() -> None:
    """Make the film that has waited longest."""
    making.make_next()
