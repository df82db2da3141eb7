"""Freshness of backups: the age of the newest one, and whether another is overdue."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from config.models import KeyFingerprint, LastBackup


class Freshness(NamedTuple):
    """The age of the newest backup, and whether the next one is overdue."""

    age: timedelta | None  # None: no backup was ever made
    overdue: bool


def freshness(at: datetime) -> Freshness:
    """Freshness at an instant; a new installation is not overdue. One or two queries."""
    limit = timedelta(days=settings.BACKUP_ALERT_DAYS)
    last = LastBackup.objects.filter(pk=1).first()
    age = None if last is None else max(at - last.made_at, timedelta(0))
    if not limit:
        overdue = False
    elif age is None:
        overdue = KeyFingerprint.objects.filter(first_used_at__lt=at - limit).exists()
    else:
        overdue = age > limit
    return Freshness(age, overdue)
