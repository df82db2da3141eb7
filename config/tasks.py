"""Celery task of the installation: the clean-up. Idempotent."""

from celery import shared_task

from config import retention


@shared_task
def clean_up() -> None:
    """Delete what is older than its term (docs/retention.md)."""
    retention.clean_up()
