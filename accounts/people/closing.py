"""Closing an account later: when nothing of it runs any more, or after a year at the latest.

Until then the person begins nothing new (games/people/standing/limits.py) and may keep the account.
"""

from datetime import timedelta

from django.db import transaction

from accounts import ports
from accounts.models import User
from accounts.people.erasure import erase
from lib.db_clock import now

LONGEST = timedelta(days=365)


def close_later(user: User) -> bool:
    """Close the account when nothing of it runs any more; returns whether it is closed already.

    What the person offers, and what was offered to them, ends now. Idempotent: the last day stays.
    """
    with transaction.atomic():
        asked = User.objects.filter(pk=user.pk, closes_at__isnull=True)
        if asked.update(closes_at=now() + LONGEST):
            user.refresh_from_db()
            for stop in ports.on_leaving:
                stop(user)
    return close_if_over(user.pk)


def keep(user: User) -> None:
    """Do not close the account after all. Idempotent."""
    User.objects.filter(pk=user.pk).update(closes_at=None)


def close_if_over(user_id: int) -> bool:
    """Close an account that is to be closed if nothing of it runs; returns whether it did."""
    with transaction.atomic():
        user = User.objects.select_for_update().filter(pk=user_id).first()
        if user is None or user.closes_at is None:
            return False
        if user.closes_at > now() and any(runs(user_id) for runs in ports.still_running):
            return False
        erase(user)
        return True
