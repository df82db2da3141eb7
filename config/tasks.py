"""Celery tasks of config: alerts and clean-up. Idempotent."""

from celery import shared_task

from config import retention
from config.watch import alerts


@shared_task
def watch() -> None:
    """E-mail ADMINS about problems that the checks find."""
    alerts.update()


@shared_task
def clean_up() -> None:
    """Delete what is past its retention period (docs/running/retention.md)."""
    retention.clean_up()
