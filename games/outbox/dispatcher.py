"""Dispatcher of the outbox: hands due rows to their handlers and marks what became of each.

A row is leased before it is touched and marked after it is done. So a dispatcher that dies loses
nothing, and at worst one e-mail goes out twice, under the same Message-ID.

Calls to addresses of people's own choice may be slow without anything being wrong with us. So they
are made while nothing else is due, and nobody's addresses keep those of others waiting for long.
"""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Collection
from contextlib import closing
from datetime import datetime, timedelta
from functools import cache

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet, prefetch_related_objects

from games.outbox import registry, retries
from games.outbox.handling import Batch, Later, OtherVersion, Superseded
from games.outbox.models import PENDING, Dispatch
from games.outbox.wake_worker import wake_worker
from lib.db_clock import now, now_expression

log = logging.getLogger(__name__)

BATCH_ROWS = 100

# External calls are interrupted after so long, to look for rows that come before them.
EXTERNAL_SLICE_SECONDS = 1.0
# So much of a drain may go to calls to one person's addresses, whether they succeed or not.
PER_USER_SECONDS = 5.0
PER_USER_PAUSE = timedelta(seconds=30)  # for which the rest of that person's calls is put off then
OTHER_VERSION_PAUSE = timedelta(hours=1)  # between two looks at a row of another version

# Within one process a second dispatcher would only sit in the way of the other tasks. It sets a
# flag, so that the running one loops once more.
_at_work = threading.Lock()
_again = threading.Event()


def drain() -> int:
    """Deliver what is due, batch by batch; the number of rows tried.

    After a third of a lease it leaves the rest to the next drain: each row that it begins has most
    of its lease before it, and whatever else the worker has to do gets its turn.
    """
    if settings.HOLD_EMAILS:
        _say_held()
        return 0
    until = time.monotonic() + settings.OUTBOX_LEASE_SECONDS / 3
    tried = 0
    spent: defaultdict[int | None, float] = defaultdict(float)
    _again.set()
    while _again.is_set() and time.monotonic() < until and _at_work.acquire(blocking=False):
        try:
            _again.clear()
            tried += _deliver_all(spent, until)
        finally:
            _at_work.release()
    if time.monotonic() >= until:
        wake_worker()
    return tried


@cache
def _say_held() -> None:
    """Once in a process."""
    log.warning("HOLD_EMAILS is on: nothing is delivered, to anybody, until it is taken away.")


def drop_before(instant: datetime) -> int:
    """Supersede what waits and was posted before that instant; how many rows.

    After a restore: what waited in the copy may have been delivered since by the original.
    """
    waiting = Dispatch.objects.filter(PENDING, created_at__lt=instant)
    return waiting.update(superseded_at=now_expression(), lease_until=None)


def _deliver_all(spent: defaultdict[int | None, float], until: float) -> int:
    tried = _deliver_internal(until)
    while time.monotonic() < until and (claimed := claim(external=True)):
        tried += _deliver_external(claimed, spent, until)
        tried += _deliver_internal(until)
    return tried


def _deliver_internal(until: float) -> int:
    """Deliver what calls no address of anybody's choice, batch by batch."""
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


def _deliver_external(
    claimed: list[Dispatch], spent: defaultdict[int | None, float], until: float
) -> int:
    """Make these calls, and between them deliver what else has become due.

    `spent` are the seconds that this drain has given to each person's addresses.
    """
    tried, put_off, slice_begun = 0, [], time.monotonic()
    with closing(Batch(claimed)) as batch:
        for position, dispatch in enumerate(claimed):
            if time.monotonic() - slice_begun >= EXTERNAL_SLICE_SECONDS:
                tried += _deliver_internal(until)
                slice_begun = time.monotonic()
            begun = time.monotonic()
            if begun >= until:
                _release(claimed[position:])
                break
            if spent[dispatch.user_id] >= PER_USER_SECONDS:
                put_off.append(dispatch)
                continue
            deliver(dispatch, batch)
            spent[dispatch.user_id] += time.monotonic() - begun
            tried += 1
    if put_off:
        _release(put_off, not_before=now() + PER_USER_PAUSE)
    return tried


def due(instant: datetime, *, external: bool = False) -> QuerySet[Dispatch]:
    """Unleased rows due by then, of external handlers or of all others, longest due first."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=instant)
    calls = Q(handler__in=registry.external_keys())
    waiting = Dispatch.objects.filter(PENDING, free, not_before__lte=instant)
    return waiting.filter(calls if external else ~calls).order_by("not_before", "pk")


def claim(limit: int = BATCH_ROWS, *, external: bool = False) -> list[Dispatch]:
    """Lease up to `limit` due rows, longest due first; nobody else gets them meanwhile."""
    instant = now()
    lease = instant + timedelta(seconds=settings.OUTBOX_LEASE_SECONDS)
    rows = due(instant, external=external)
    # Most of the time nobody's address is to be called, and to see that needs no lock.
    if external and not rows.exists():
        return []
    with transaction.atomic():
        # PostgreSQL passes over what another dispatcher is claiming; SQLite lets one in at a time.
        claimed = list(rows.select_for_update(skip_locked=True)[:limit])
        Dispatch.objects.filter(pk__in=[row.pk for row in claimed]).update(lease_until=lease)
    for dispatch in claimed:
        dispatch.lease_until = lease
    prefetch_related_objects(claimed, "user")
    return claimed


def deliver(dispatch: Dispatch, batch: Batch) -> None:
    """Call the row's handler, and mark on the row how that went."""
    try:
        registry.handler_of(dispatch.handler)(dispatch, batch)
    except Superseded:
        _mark(dispatch, superseded_at=now_expression(), error="")
    except Later as later:
        _mark(dispatch, not_before=later.until)
    except OtherVersion as other:
        _keep_for_other_version(dispatch, other)
    except Exception as error:
        # After a failure on a line, the line itself is not to be trusted either.
        if isinstance(error, OSError):
            batch.close()
        record_failure(dispatch, error)
    else:
        _mark_sent(dispatch)


def _keep_for_other_version(dispatch: Dispatch, other: OtherVersion) -> None:
    """Try the row again later, and never give it up: the version that knows it may be back soon."""
    log.error(
        "Dispatch %s (%s) is kept: this version of the program does not know its %s.",
        dispatch.pk,
        dispatch.event,
        other,
    )
    error = f"OtherVersion: {other}"[:80]
    _mark(dispatch, not_before=now() + OTHER_VERSION_PAUSE, error=error)


def record_failure(dispatch: Dispatch, error: Exception) -> None:
    """Write down that an attempt at this row has failed, and whether another follows."""
    instant = now()
    attempts = dispatch.attempts + 1
    words = retries.describe(error)
    if retries.is_final(error, attempts, instant - dispatch.created_at):
        log.error("Dispatch %s (%s) is given up: %s", dispatch.pk, dispatch.event, words)
        _mark(dispatch, dead_at=instant, attempts=attempts, error=words)
    else:
        wait = retries.retry_delay(error, attempts)
        log.warning(
            "Dispatch %s (%s) waits %.0f s: %s",
            dispatch.pk,
            dispatch.event,
            wait.total_seconds(),
            words,
        )
        _mark(dispatch, not_before=instant + wait, attempts=attempts, error=words)


# Part of every e-mail; Django would take longer to write it than the database to do it.
SENT = """
    UPDATE outbox_dispatch SET lease_until = NULL, error = '', sent_at = {present}
    WHERE id = %s AND lease_until = %s
"""


def _mark_sent(dispatch: Dispatch) -> None:
    """As `_mark` would."""
    compiler = Dispatch.objects.none().query.get_compiler(connection=connection)
    instant, given = compiler.compile(now_expression())
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


def look_again_at(users: Collection[int]) -> None:
    """Have the waiting rows of these people looked at soon; what failed before keeps its turn."""
    waiting = Dispatch.objects.filter(PENDING, user__in=users, attempts=0)
    if waiting.update(not_before=now_expression()):
        transaction.on_commit(wake_worker, robust=True)


def held_back() -> QuerySet[Dispatch]:
    """E-mails that wait because a mail server did not take them."""
    return Dispatch.objects.filter(PENDING, retries.MAIL_FAILED)


def given_up_since(instant: datetime) -> QuerySet[Dispatch]:
    """E-mails that were given up since then because a mail server did not take them."""
    return Dispatch.objects.filter(retries.MAIL_FAILED, dead_at__gte=instant)


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
    wake_worker()
    return count
