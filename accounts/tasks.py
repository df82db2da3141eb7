"""Celery task of accounts: deletes what has expired."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from accounts.models import User
from accounts.session_store import SessionStore

PENDING_KEPT = timedelta(days=3)


@shared_task
def tidy() -> None:
    """Delete sign-ups that were never confirmed, and expired sessions."""
    User.objects.filter(pending=True, date_joined__lt=timezone.now() - PENDING_KEPT).delete()
    SessionStore.clear_expired()
