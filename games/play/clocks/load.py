"""Load: whose requests keep a web process busy, so that nobody gains time by stalling it.

Each process knows the requests that it is answering and what processor time each has taken. One
that took more than HEAVY_SECONDS becomes a row when it ends, or before the process says that it is
ready again. So whoever notices an outage finds there which account caused it.
"""

import logging
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.http import HttpRequest

from games.play.models.time import HeavyRequest
from lib.db_clock import now

logger = logging.getLogger(__name__)

HEAVY_SECONDS = 1.0  # of processor time; most pages take a hundredth
CAUSING_SHARE = 0.5  # of an outage

_in_hand: dict[int, "Work"] = {}
_reporting = threading.Lock()


@dataclass(eq=False)
class Work:
    """A request that a thread of this process is answering."""

    request: HttpRequest
    thread: int = field(default_factory=threading.get_ident)
    began: float = field(default_factory=time.monotonic)
    cpu_before: float = field(default_factory=time.thread_time)
    row: int | None = None  # once it was reported

    @property
    def user_id(self) -> int | None:
        """Whose request it is, as far as that was asked for by now."""
        user = getattr(self.request, "_cached_user", None)
        return user.pk if user else None


def begin(request: HttpRequest) -> Work:
    """Note that this thread begins to answer a request."""
    work = Work(request)
    _in_hand[work.thread] = work
    return work


def end(work: Work) -> None:
    """Note that it has been answered."""
    seconds = time.thread_time() - work.cpu_before
    _in_hand.pop(work.thread, None)
    if seconds > HEAVY_SECONDS:
        with _reporting:
            _report(work, seconds)
        logger.warning(
            "A request of account %s took %.1f s of processor time.", work.user_id, seconds
        )


def report() -> None:
    """Store the heavy requests that are being answered now."""
    if not _in_hand:
        return
    with _reporting:
        for work in list(_in_hand.values()):
            seconds = _cpu_seconds(work)
            if seconds > HEAVY_SECONDS:
                _report(work, seconds)


def causing(start: datetime, end: datetime) -> int | None:
    """The account whose requests took most of the processor time of an interval, if one did."""
    seconds: defaultdict[int, float] = defaultdict(float)
    for row in HeavyRequest.objects.filter(end__gt=start, start__lt=end):
        within = min(row.end, end) - max(row.start, start)
        seconds[row.user_id] += min(row.cpu_seconds, within.total_seconds())
    user = max(seconds, key=seconds.__getitem__, default=None)
    if user is None or seconds[user] < CAUSING_SHARE * (end - start).total_seconds():
        return None
    return user


def _report(work: Work, seconds: float) -> None:
    """Store what a request of an account has taken by now; its answer must not fail over that."""
    if work.user_id is None:
        return
    try:
        at = now()
        began = at - timedelta(seconds=time.monotonic() - work.began)
        facts = {"user_id": work.user_id, "start": began, "end": at, "cpu_seconds": seconds}
        row = HeavyRequest(pk=work.row, **facts)
        row.save()
        work.row = row.pk
    except Exception as error:
        logger.warning("A heavy request could not be stored (%s).", type(error).__name__)


def _cpu_seconds(work: Work) -> float:
    """Processor time of a request that another thread may be answering."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return 0.0
    clock = time.pthread_getcpuclockid(work.thread)
    return time.clock_gettime(clock) - work.cpu_before
