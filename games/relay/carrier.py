"""Carries what waits in the outbox to its handlers, and writes down what became of it.

A row is leased before it is touched and marked after it is done. So a carrier that dies loses
nothing, and at worst one letter goes out twice, under the same Message-ID.

Calls to addresses of people's own choice may be slow without anything being wrong with us. So they
are made while nothing else is due, and nobody's addresses keep those of others waiting for long.
"""

import logging
import threading
import time
from collections import defaultdict
from contextlib import closing
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet, prefetch_related_objects
from django.utils.module_loading import import_string

from games.relay import failure
from games.relay.models import WAITING, Dispatch
from games.relay.moment import now, present
from games.relay.nudge import nudge
from games.relay.outbox import Batch, Later, Superseded, outside_handlers

log = logging.getLogger(__name__)

BATCH = 100  # rows
KEPT = timedelta(days=30)
PAGE = 1000  # rows forgotten by one statement

GLANCE = 1.0  # seconds of calls outside before it is looked for what comes before them
SHARE = 5.0  # seconds of a drain that calls to one person's addresses may take, well or not
BREATHER = timedelta(seconds=30)  # for which what else is to be told there is put off then

# Within one process a second carrier would only sit in the way of the other tasks. It knocks, so
# that the first looks once more before it goes.
_at_work = threading.Lock()
_knocked = threading.Event()


def drain() -> int:
    """Deliver what is due, batch by batch; the number of rows tried.

    After a third of a lease it leaves the rest to the next drain: each row that it begins has most
    of its lease before it, and whatever else the worker has to do gets its turn.
    """
    until = time.monotonic() + settings.RELAY_LEASE / 3
    tried = 0
    spent: defaultdict[int | None, float] = defaultdict(float)
    _knocked.set()
    while _knocked.is_set() and time.monotonic() < until and _at_work.acquire(blocking=False):
        try:
            _knocked.clear()
            tried += _deliver_all(spent, until)
        finally:
            _at_work.release()
    if time.monotonic() >= until:
        nudge()
    return tried


def _deliver_all(spent: defaultdict[int | None, float], until: float) -> int:
    tried = _deliver_inside(until)
    while time.monotonic() < until and (claimed := claim(outside=True)):
        tried += _deliver_outside(claimed, spent, until)
        tried += _deliver_inside(until)
    return tried


def _deliver_inside(until: float) -> int:
    """Deliver what calls on nobody's own address, batch by batch."""
    tried = 0
    while time.monotonic() < until and (claimed := claim()):
        with closing(Batch(claimed)) as batch:
            for position, dispatch in enumerate(claimed):
                if time.monotonic() >= until:
                    _release(claimed[position:])
                    break
                deliver(dispatch, batch)
                tried += 1
    return tried


def _deliver_outside(
    claimed: list[Dispatch], spent: defaultdict[int | None, float], until: float
) -> int:
    """Make these calls, and between them deliver what has become due inside.

    `spent` are the seconds that this drain has given to each person's addresses.
    """
    tried, put_off, looked = 0, [], time.monotonic()
    with closing(Batch(claimed)) as batch:
        for position, dispatch in enumerate(claimed):
            if time.monotonic() - looked >= GLANCE:
                tried += _deliver_inside(until)
                looked = time.monotonic()
            begun = time.monotonic()
            if begun >= until:
                _release(claimed[position:])
                break
            if spent[dispatch.user_id] >= SHARE:
                put_off.append(dispatch)
                continue
            deliver(dispatch, batch)
            spent[dispatch.user_id] += time.monotonic() - begun
            tried += 1
    if put_off:
        _release(put_off, not_before=now() + BREATHER)
    return tried


def due(instant: datetime, *, outside: bool = False) -> QuerySet[Dispatch]:
    """What nobody has in hand and has come due by then, inside or outside, longest due first."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=instant)
    there = Q(handler__in=outside_handlers())
    waiting = Dispatch.objects.filter(WAITING, free, not_before__lte=instant)
    return waiting.filter(there if outside else ~there).order_by("not_before", "pk")


def claim(limit: int = BATCH, *, outside: bool = False) -> list[Dispatch]:
    """Lease up to `limit` due rows, longest due first; nobody else gets them meanwhile."""
    instant = now()
    lease = instant + timedelta(seconds=settings.RELAY_LEASE)
    rows = due(instant, outside=outside)
    # Most of the time nobody's address is to be called, and to see that needs no lock.
    if outside and not rows.exists():
        return []
    with transaction.atomic():
        # PostgreSQL passes over what another carrier is claiming; SQLite lets one in at a time.
        claimed = list(rows.select_for_update(skip_locked=True)[:limit])
        Dispatch.objects.filter(pk__in=[row.pk for row in claimed]).update(lease_until=lease)
    for dispatch in claimed:
        dispatch.lease_until = lease
    prefetch_related_objects(claimed, "user")
    return claimed


def deliver(dispatch: Dispatch, batch: Batch) -> None:
    """Have the handler do its part, and note on the row how that went."""
    try:
        import_string(dispatch.handler)(dispatch, batch)
    except Superseded:
        _mark(dispatch, superseded_at=present(), error="")
    except Later as later:
        _mark(dispatch, not_before=later.until)
    except Exception as error:
        # After a failure on a line, the line itself is not to be trusted either.
        if isinstance(error, OSError):
            batch.close()
        note(dispatch, error)
    else:
        _mark_sent(dispatch)


def note(dispatch: Dispatch, error: Exception) -> None:
    """Write down that an attempt at this row has failed, and whether another follows."""
    instant = now()
    attempts = dispatch.attempts + 1
    words = failure.describe(error)
    if failure.is_final(error, attempts, instant - dispatch.created_at):
        log.error("Dispatch %s (%s) is given up: %s", dispatch.pk, dispatch.event, words)
        _mark(dispatch, dead_at=instant, attempts=attempts, error=words)
    else:
        wait = failure.wait(error, attempts)
        log.warning(
            "Dispatch %s (%s) waits %.0f s: %s",
            dispatch.pk,
            dispatch.event,
            wait.total_seconds(),
            words,
        )
        _mark(dispatch, not_before=instant + wait, attempts=attempts, error=words)


# Part of every letter; Django would take longer to write it than the database to do it.
SENT = """
    UPDATE relay_dispatch SET lease_until = NULL, error = '', sent_at = {present}
    WHERE id = %s AND lease_until = %s
"""


def _mark_sent(dispatch: Dispatch) -> None:
    """As `_mark` would."""
    compiler = Dispatch.objects.none().query.get_compiler(connection=connection)
    instant, given = compiler.compile(present())
    lease = Dispatch.lease_until.field.get_db_prep_value(dispatch.lease_until, connection)
    with connection.cursor() as cursor:
        cursor.execute(SENT.format(present=instant), [*given, dispatch.pk, lease])


def _mark(dispatch: Dispatch, **what: object) -> None:
    # Whoever was so slow that the lease ran out has no say any more.
    mine = Dispatch.objects.filter(pk=dispatch.pk, lease_until=dispatch.lease_until)
    mine.update(lease_until=None, **what)


def _release(claimed: list[Dispatch], **what: object) -> None:
    mine = Dispatch.objects.filter(pk__in=[row.pk for row in claimed])
    mine.filter(lease_until=claimed[0].lease_until).update(lease_until=None, **what)


def send_again(dispatches: QuerySet[Dispatch]) -> int:
    """Have these delivered as if they had just been posted, but for those in delivery; how many."""
    instant = now()
    free = dispatches.filter(Q(lease_until__isnull=True) | Q(lease_until__lte=instant))
    count = free.update(
        not_before=instant,
        lease_until=None,
        attempts=0,
        error="",
        sent_at=None,
        superseded_at=None,
        dead_at=None,
    )
    nudge()
    return count


def tidy() -> int:
    """Delete what was closed and posted more than 30 days ago; the number of rows."""
    horizon = now() - KEPT
    forgotten = 0
    # The oldest rows have the lowest keys, so no index on the date is needed to find them.
    while True:
        oldest = Dispatch.objects.order_by("pk").values("pk")[:PAGE]
        past = Dispatch.objects.filter(pk__in=oldest, created_at__lt=horizon).exclude(WAITING)
        count, _ = past.delete()
        if not count:
            return forgotten
        forgotten += count
