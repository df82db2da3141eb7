"""Celery tasks of config: alerts, clean-up, tokens that expire, closing accounts. Idempotent."""

from celery import shared_task

from accounts.tokens import expiry_emails
from config.personal_data import closing, retention
from config.watch import alerts


@shared_task
def watch() -> None:
    """E-mail ADMINS about problems that the checks find."""
    alerts.update()


@shared_task
def close_accounts() -> None:
    """Close the accounts that were to be closed within a year, when that is over."""
    closing.close_due()


@shared_task
def warn_of_tokens() -> None:
    """E-mail the owners of tokens that expire within a week."""
    expiry_emails.warn_due()


@shared_task
def clean_up() -> None:
    """Delete what is past its retention period (docs/running/retention.md)."""
    retention.clean_up()
