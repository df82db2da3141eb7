"""Freshness of backups: how old the newest one is, and whether another is overdue."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from config.models import KeyFingerprint, LastBackup


class Freshness(NamedTuple):
    """How old the newest backup is, and whether one should have been made since."""

    age: timedelta | None  # none where none was ever made
    overdue: bool


def freshness(at: datetime) -> Freshness:
    """How fresh the backups are; an installation that is as new owes none. One query or two."""
    term = timedelta(days=settings.BACKUP_ALERT_DAYS)
    last = LastBackup.objects.filter(pk=1).first()
    age = None if last is None else max(at - last.made_at, timedelta(0))
    if not term:
        overdue = False
    elif age is None:
        overdue = KeyFingerprint.objects.filter(first_used_at__lt=at - term).exists()
    else:
        overdue = age > term
    return Freshness(age, overdue)
