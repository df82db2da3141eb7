"""Celery task of the outbox: the drain. Idempotent: the rows decide."""

from celery import shared_task

from games.outbox import dispatcher


@shared_task
def drain() -> None:
    """Deliver what waits in the outbox."""
    dispatcher.drain()
