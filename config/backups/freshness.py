"""Tells when backups are no longer made: nobody misses them until one is needed."""

import logging
from datetime import datetime, timedelta

from django.conf import settings

from config.models import KeyFingerprint, LastBackup
from games.outbox.db_clock import now

log = logging.getLogger(__name__)


def complaint(at: datetime) -> str | None:
    """What is wrong with the backups, in a sentence; none of an installation that is as new."""
    if not settings.BACKUP_ALERT_DAYS:
        return None
    horizon = at - timedelta(days=settings.BACKUP_ALERT_DAYS)
    last = LastBackup.objects.filter(pk=1).first()
    if last is None:
        if not KeyFingerprint.objects.filter(first_used_at__lt=horizon).exists():
            return None
        return "No backup was ever made. `manage.py backup DIRECTORY` makes one."
    if last.made_at < horizon:
        return f"The last backup is {(at - last.made_at).days} days old."
    return None


def watch() -> None:
    """Log it, if there is something to complain of."""
    if words := complaint(now()):
        log.error("%s docs/backups.md says how, and how they are tried.", words)
