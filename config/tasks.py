"""Celery tasks of the installation: alerts, clean-up. Idempotent."""

from celery import shared_task

from config import retention
from config.watch import alerts


@shared_task
def watch() -> None:
    """E-mail ADMINS about what the checks find wrong."""
    alerts.update()


@shared_task
def clean_up() -> None:
    """Delete what is older than its term (docs/running/retention.md)."""
    retention.clean_up()
