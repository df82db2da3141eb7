"""Celery task of ratings; idempotent."""

from celery import shared_task

from games.ratings import numbering


@shared_task
def count() -> None:
    """Number and rate the units that have become final."""
    numbering.count()
