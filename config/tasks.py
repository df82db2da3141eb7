"""Celery task of the installation: tells administrators what is wrong. Idempotent."""

from celery import shared_task

from config.watch import alerts


@shared_task
def watch() -> None:
    """E-mail ADMINS about what the checks find wrong."""
    alerts.tell()
