"""Circuit breaker: stops a sweep that would end implausibly many matches on time.

The cause may be a wrong clock, an outage that was not recorded, or a bug; undoing lost matches is
hard. So time-outs are counted by the hour. The usual number is the 99th percentile of the last 30
days, which is the eighth highest of 720 hours. Up to three times that number, and always up to
five, may end within the current hour and the one before. An administrator closes the breaker.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.mail import mail_admins
from django.db.models import F, Sum

from accounts.models import User
from games.outbox.db_clock import now
from games.play.models.match import Player
from games.play.models.time import Halt, HourlyTimeouts

logger = logging.getLogger(__name__)

MIN_TIMEOUTS_AN_HOUR = 5  # so many matches are always plausible
USUAL_FACTOR = 3  # times the usual number is still plausible
USUAL_WINDOW = timedelta(days=30)
PERCENTILE_RANK = 8  # the 8th highest of the 720 hours is their 99th percentile
HOUR = timedelta(hours=1)
ALERT_RETRY = timedelta(minutes=10)  # after a failed e-mail

ALERT = (
    "Time-outs are stopped: %d matches would have ended on time, and %d an hour are plausible. "
    "Nobody loses on time until somebody resumes them on the admin page “stops of time-outs”."
)


def open_halt() -> Halt | None:
    """The halt in force, if the breaker is open."""
    return Halt.objects.filter(in_force=True).first()


def allow(late: Sequence[Player], at: datetime) -> bool:
    """Whether these players may all lose on time now; if not, the breaker opens."""
    if not late:
        return True
    if open_halt():
        return False
    released = _released_at()
    new, allowed = _new_matches(late, released), allowance(at)
    if not new or new + _recent_timeouts(at, since=released) <= allowed:
        return True
    halt = Halt(opened_at=at, overdue=new, alert_at=at)
    Halt.objects.bulk_create([halt], ignore_conflicts=True)
    logger.error(ALERT, new, allowed)
    return False


def alert_admins(at: datetime) -> None:
    """E-mail ADMINS about the halt in force; retried until it was sent.

    If the worker dies meanwhile the e-mail is sent again: twice is better than never.
    """
    halt = Halt.objects.filter(in_force=True, alert_at__lte=at).first()
    if halt is None:
        return
    unclaimed = Halt.objects.filter(pk=halt.pk, alert_at=halt.alert_at)
    if not unclaimed.update(alert_at=at + ALERT_RETRY):
        return
    try:
        mail_admins("Time-outs are stopped", ALERT % (halt.overdue, allowance(halt.opened_at)))
    except Exception:
        logger.exception("The e-mail about the stop of the sweep could not be sent.")
        return
    Halt.objects.filter(pk=halt.pk).update(alert_at=None)


def count_timeouts(ended: Sequence[Player], at: datetime) -> None:
    """Count these matches as time-outs of this hour, except those an administrator has released."""
    released = _released_at()
    # Time-outs after a release get a row of their own, apart from those before in the same hour.
    hour = _hour(at) if released is None else max(_hour(at), released)
    if new := _new_matches(ended, released):
        HourlyTimeouts.objects.bulk_create([HourlyTimeouts(hour=hour)], ignore_conflicts=True)
        HourlyTimeouts.objects.filter(hour=hour).update(ended=F("ended") + new)


def allowance(at: datetime) -> int:
    """How many matches may end on time within the current hour and the one before."""
    hours = HourlyTimeouts.objects.filter(hour__gt=at - USUAL_WINDOW, hour__lt=_hour(at)).order_by(
        "-ended"
    )
    highest = list(hours.values_list("ended", flat=True)[:PERCENTILE_RANK])
    return max(
        MIN_TIMEOUTS_AN_HOUR, USUAL_FACTOR * highest[-1] if len(highest) == PERCENTILE_RANK else 0
    )


def release(halt: Halt, user: User) -> bool:
    """Close the breaker, so that the sweep goes on; False if somebody else already did."""
    open_halts = Halt.objects.filter(pk=halt.pk, in_force=True)
    return bool(open_halts.update(in_force=None, released_at=now(), released_by=user))


def _released_at() -> datetime | None:
    """When an administrator last released a halt, and so accepted what was overdue by then."""
    released = Halt.objects.exclude(released_at=None).order_by("-released_at").first()
    return released.released_at if released else None


def _new_matches(late: Sequence[Player], released: datetime | None) -> int:
    """How many of these matches were not yet overdue at the last release."""
    new = (p for p in late if released is None or p.deadline is None or p.deadline > released)
    return len({player.match_id for player in new})


def _recent_timeouts(at: datetime, since: datetime | None) -> int:
    """How many matches ended on time in this hour and the one before, since the last release."""
    begin = _hour(at) - HOUR if since is None else max(_hour(at) - HOUR, since)
    hours = HourlyTimeouts.objects.filter(hour__gte=begin, hour__lte=at)
    return hours.aggregate(sum=Sum("ended"))["sum"] or 0


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)
