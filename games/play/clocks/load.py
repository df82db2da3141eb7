"""Load: finds the account whose requests keep a web process busy, so that stalling gains no time.

Each process knows the requests that it is answering and the processor time that each has taken. A
request that took more than HEAVY_SECONDS is stored when it ends, or before the process reports that
it is ready again. So the worker that notices an outage can look up which account caused it.
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

HEAVY_SECONDS = 1.0  # of processor time; most pages take a hundredth of it
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
    row: int | None = None  # set once it was reported

    @property
    def user_id(self) -> int | None:
        """The user who sent the request, if the session was loaded by now; else None."""
        user = getattr(self.request, "_cached_user", None)
        return user.pk if user else None


def begin(request: HttpRequest) -> Work:
    """Record that this thread begins to answer a request."""
    work = Work(request)
    _in_hand[work.thread] = work
    return work


def end(work: Work) -> None:
    """Record that the request has been answered."""
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
    """The account whose requests took most of the processor time of an interval, or None."""
    seconds: defaultdict[int, float] = defaultdict(float)
    for row in HeavyRequest.objects.filter(end__gt=start, start__lt=end):
        within = min(row.end, end) - max(row.start, start)
        seconds[row.user_id] += min(row.cpu_seconds, within.total_seconds())
    user = max(seconds, key=seconds.__getitem__, default=None)
    if user is None or seconds[user] < CAUSING_SHARE * (end - start).total_seconds():
        return None
    return user


def _report(work: Work, seconds: float) -> None:
    """Store the processor time of a request so far; errors are only logged."""
    if work.user_id is None:
        return
    try:
        at = now()
        began = at - timedelta(seconds=time.monotonic() - work.began)
        fields = {"user_id": work.user_id, "start": began, "end": at, "cpu_seconds": seconds}
        row = HeavyRequest(pk=work.row, **fields)
        row.save()
        work.row = row.pk
    except Exception as error:
        logger.warning("A heavy request could not be stored (%s).", type(error).__name__)


def _cpu_seconds(work: Work) -> float:
    """Processor time in seconds of a request that another thread may be answering."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return 0.0
    clock = time.pthread_getcpuclockid(work.thread)
    return time.clock_gettime(clock) - work.cpu_before
