"""Freshness of backups: how old the newest one and the last verification are."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from config.models import KeyFingerprint, LastBackup


class Freshness(NamedTuple):
    """The age of the newest backup and of the last verification; None if there was none."""

    age: timedelta | None
    overdue: bool
    verified_age: timedelta | None  # since a backup was last verified without faults
    verification_overdue: bool  # never at the same time as `overdue`


def freshness(at: datetime) -> Freshness:
    """Freshness at an instant; a new installation is not overdue. One or two queries."""
    limit = timedelta(days=settings.BACKUP_ALERT_DAYS)
    last = LastBackup.objects.filter(pk=1).first()
    age = _age(last.made_at, at) if last else None
    verified_age = _age(last.verified_at, at) if last and last.verified_at else None
    overdue = verification_overdue = False
    if limit:
        overdue = _is_overdue(age, at, limit)
        verification_overdue = not overdue and age is not None
        verification_overdue = verification_overdue and _is_overdue(verified_age, at, limit)
    return Freshness(age, overdue, verified_age, verification_overdue)


def _age(made: datetime, at: datetime) -> timedelta:
    return max(at - made, timedelta(0))


def _is_overdue(age: timedelta | None, at: datetime, limit: timedelta) -> bool:
    if age is not None:
        return age > limit
    return KeyFingerprint.objects.filter(first_used_at__lt=at - limit).exists()
