"""Celery task of the outbox: the drain. It is idempotent, since the rows record what is done."""

from celery import shared_task

from games.outbox.delivery import dispatcher


@shared_task
def drain() -> None:
    """Deliver the due rows of the outbox."""
    dispatcher.drain()
