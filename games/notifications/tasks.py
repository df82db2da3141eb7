"""Celery task of notifications: deletes what nobody needs any more."""

from celery import shared_task

from games.notifications.email import account_emails


@shared_task
def tidy() -> None:
    """Delete account e-mails that could not be sent."""
    account_emails.delete_old()
