"""The last day of accounts that were to be closed when their matches had ended."""

from accounts.models import User
from accounts.people.closing import close_if_over
from lib.db_clock import now

BATCH_ACCOUNTS = 20  # of one run; the next run continues


def close_due() -> int:
    """Close the accounts whose last day is over, found by an index; returns how many."""
    due = User.objects.filter(closes_at__lte=now()).order_by("closes_at")
    return sum(close_if_over(pk) for pk in due.values_list("pk", flat=True)[:BATCH_ACCOUNTS])
