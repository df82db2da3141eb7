"""Failures of devices and webhooks: how long to wait, and when to stop calling an address.

Failures stop an address only if they go on for days: messages must have failed on several days,
with no success in between. Any number of failed attempts within a day counts as one, so a short
outage of the other service stops nothing, however many messages it concerns.
"""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from games.notifications.models import Device, Webhook
from games.outbox.handling import Later, RetryAfter
from lib.db_clock import now

Address = Device | Webhook

FAILED_DAYS = 4  # with failures and without a success, after which an address is stopped
# Between two failures that count. A message is retried about every hour for 72 hours, so four
# failures count while it is.
DAY = timedelta(hours=23)
MAX_RETRY_AFTER = timedelta(days=1)
MAX_HEADER_CHARACTERS = 64

FIELDS = ("failures", "counted_at", "failed_at", "retry_at", "why", "stopped")
NONE = {"failures": 0, "counted_at": None, "retry_at": None, "why": "", "stopped": False}


def wait_until_asked(address: Address, at: datetime) -> None:
    """Raise Later if the other service has asked not to be called at the instant `at`."""
    if address.retry_at is not None and address.retry_at > at:
        raise Later(address.retry_at)


def retry_after(header: str, at: datetime) -> timedelta | None:
    """The time to wait by a Retry-After header (RFC 9110, 10.2.3), at most a day; None without one.

    The header is a number of seconds or a date. Anything else is ignored.
    """
    text = header.strip()
    if not text or len(text) > MAX_HEADER_CHARACTERS:
        return None
    # Some services send fractions of a second.
    whole, _dot, fraction = text.partition(".")
    if text.isascii() and whole.isdecimal() and (not fraction or fraction.isdecimal()):
        # A second more than the fraction, so that it has passed.
        seconds = min(int(whole[:10]) + bool(fraction), int(MAX_RETRY_AFTER.total_seconds()))
        return timedelta(seconds=seconds)
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    # A date without a zone is in UTC.
    wait = (until if until.tzinfo else until.replace(tzinfo=UTC)) - at
    return min(max(wait, timedelta()), MAX_RETRY_AFTER)


@transaction.atomic
def record(
    address: Address,
    why: str,
    status: int | None = None,
    *,
    wait: timedelta | None = None,
    days: int = FAILED_DAYS,
    for_good: bool = False,
) -> bool:
    """Record a failed attempt. Returns whether the address is stopped now.

    `why` is a sentence for the owner, which may name the `status`. It is stopped if messages have
    failed on that many `days`, or at once if `for_good`. `wait` is how long the other service asks
    to wait before the next call.
    """
    # Another worker may have removed or stopped it, or recorded a failure, meanwhile.
    current = type(address)._default_manager.select_for_update().filter(pk=address.pk).first()
    if current is None:
        return False
    at = now()
    if not current.failures or current.counted_at is None:
        current.failures, current.counted_at = 1, at
    elif at - current.counted_at >= DAY:
        current.failures, current.counted_at = current.failures + 1, at
    current.failed_at = at
    current.retry_at = at + wait if wait else None
    with translation.override(address.user.email_language):
        current.why = (_(why) % {"status": status})[:200]
    current.stopped = current.stopped or for_good or current.failures >= days
    current.save(update_fields=FIELDS)
    return current.stopped


def temporary(status: int, wait: timedelta | None) -> OSError:
    """The exception for a message that is to be sent again."""
    return RetryAfter(status, wait) if wait else ConnectionError(status, "not taken")
