"""Closing an account later: when nothing of it runs any more, or after a year at the latest.

Until then the person begins nothing new (games/people/standing/limits.py) and may keep the account.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from accounts import ports
from accounts.models import User
from accounts.people.erasure import erase
from lib.db_clock import now

LONGEST = timedelta(days=365)


def close_later(user: User) -> bool:
    """Close the account when nothing of it runs any more; returns whether it is closed already.

    What the person and their bots offer, and what was offered to them, ends now. The bots are
    closed as well, each when nothing of it runs. Idempotent: the last day stays.
    """
    with transaction.atomic():
        closes_at = now() + LONGEST
        for one in (user, *user.bots.order_by("pk")):
            not_closing = User.objects.filter(pk=one.pk, closes_at__isnull=True)
            if not_closing.update(closes_at=closes_at):
                one.refresh_from_db()
                for stop in ports.on_leaving:
                    stop(one)
    return close_if_over(user.pk)


def keep(user: User) -> None:
    """Do not close the account, and its bots that are left, after all. Idempotent."""
    User.objects.filter(Q(pk=user.pk) | Q(owner=user)).update(closes_at=None)


def close_if_over(user_id: int) -> bool:
    """Close an account that is to be closed if nothing of it runs; returns whether it did."""
    with transaction.atomic():
        user = User.objects.select_for_update().filter(pk=user_id).first()
        if user is None or user.closes_at is None:
            return False
        accounts = [user_id, *user.bots.values_list("pk", flat=True)]
        if user.closes_at > now() and any(
            runs(one) for one in accounts for runs in ports.still_running
        ):
            return False
        erase(user)
        return True
