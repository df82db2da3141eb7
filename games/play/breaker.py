"""Stops a sweep that would end implausibly many matches, until somebody has looked.

A clock that went wrong, a lost outage, a mistake in this very code: whatever it is, losing on time
is hard to undo for those who lost. So endings by time are counted by the hour. What is usual is the
99th percentile of the last thirty days, the eighth most of 720 hours; three times that and five at
least may end within this hour and the one before.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.mail import mail_admins
from django.db.models import F, Sum

from accounts.models import User
from games.play.models.match import Player
from games.play.models.time import Halt, Toll
from games.relay.moment import now

logger = logging.getLogger(__name__)

LEAST = 5  # matches an hour that never seem implausible
TIMES = 3  # what is usual
WINDOW = timedelta(days=30)
RANK = 8  # of the hours of the window, the 99th percentile
HOUR = timedelta(hours=1)
AGAIN = timedelta(minutes=10)  # until a letter that did not leave is sent anew

ALERT = (
    "The sweep has stopped: %d matches would have ended by time, and %d an hour are plausible. "
    "Nobody runs out of time until somebody lets it go on, in the office, stops of the sweep."
)


def standing() -> Halt | None:
    """The stop that nobody has ended yet."""
    return Halt.objects.filter(stands=True).first()


def let_through(late: Sequence[Player], at: datetime) -> bool:
    """Whether all these players may run out of time now; if not, the sweep stands from here on."""
    if not late:
        return True
    if standing():
        return False
    seen = _released_at()
    fresh, allowed = _fresh(late, seen), allowance(at)
    if not fresh or fresh + _recent(at, since=seen) <= allowed:
        return True
    halt = Halt(opened_at=at, overdue=fresh, tell_at=at)
    Halt.objects.bulk_create([halt], ignore_conflicts=True)
    logger.error(ALERT, fresh, allowed)
    return False


def tell(at: datetime) -> None:
    """Write to ADMINS of the stop that stands, again and again until the letter has left.

    Rather twice than never: if the worker dies meanwhile, it counts as not having left.
    """
    halt = Halt.objects.filter(stands=True, tell_at__lte=at).first()
    if halt is None:
        return
    mine = Halt.objects.filter(pk=halt.pk, tell_at=halt.tell_at)
    if not mine.update(tell_at=at + AGAIN):
        return
    try:
        mail_admins("The sweep has stopped", ALERT % (halt.overdue, allowance(halt.opened_at)))
    except Exception:
        logger.exception("The letter about the stop of the sweep did not leave.")
        return
    Halt.objects.filter(pk=halt.pk).update(tell_at=None)


def count(ended: Sequence[Player], at: datetime) -> None:
    """Remember that these ran out of time now, but for those that somebody has let go on."""
    seen = _released_at()
    # What ends after a release is counted apart from what had ended in the same hour before.
    hour = _hour(at) if seen is None else max(_hour(at), seen)
    if fresh := _fresh(ended, seen):
        Toll.objects.bulk_create([Toll(hour=hour)], ignore_conflicts=True)
        Toll.objects.filter(hour=hour).update(ended=F("ended") + fresh)


def allowance(at: datetime) -> int:
    """How many may run out of time within an hour."""
    hours = Toll.objects.filter(hour__gt=at - WINDOW, hour__lt=_hour(at)).order_by("-ended")
    most = list(hours.values_list("ended", flat=True)[:RANK])
    return max(LEAST, TIMES * most[-1] if len(most) == RANK else 0)


def release(halt: Halt, user: User) -> bool:
    """Let the sweep go on; False if somebody has done so."""
    standing = Halt.objects.filter(pk=halt.pk, stands=True)
    return bool(standing.update(stands=None, released_at=now(), released_by=user))


def _released_at() -> datetime | None:
    """When the sweep was last let go on; whoever did so has looked at all that was overdue then."""
    released = Halt.objects.exclude(released_at=None).order_by("-released_at").first()
    return released.released_at if released else None


def _fresh(late: Sequence[Player], seen: datetime | None) -> int:
    """How many matches there are among these whose time was not up yet when somebody looked."""
    fresh = (p for p in late if seen is None or p.deadline is None or p.deadline > seen)
    return len({player.match_id for player in fresh})


def _recent(at: datetime, since: datetime | None) -> int:
    """How many ran out of time in this hour and the one before, but for what was let go on."""
    begin = _hour(at) - HOUR if since is None else max(_hour(at) - HOUR, since)
    tolls = Toll.objects.filter(hour__gte=begin, hour__lte=at)
    return tolls.aggregate(sum=Sum("ended"))["sum"] or 0


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)
