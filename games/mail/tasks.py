"""Celery task of play by mail: reads the messages that wait. Idempotent: the rows decide."""

from celery import shared_task

from games.mail.answering import worker


@shared_task
def read_messages() -> None:
    """Read what came in, do what it asks for, and write receipts."""
    worker.work()
