"""Celery tasks of the outbox: drain and clean-up. Idempotent: the rows decide."""

from celery import shared_task

from games.outbox import dispatcher, idempotency


@shared_task
def drain() -> None:
    """Deliver what waits in the outbox."""
    dispatcher.drain()


@shared_task
def tidy() -> None:
    """Delete rows and stored responses that are older than a month."""
    dispatcher.delete_old()
    idempotency.delete_expired()
