"""Dispatcher of the outbox: calls the handlers of due rows and records each outcome.

A row is leased before its handler runs and marked afterwards. So a dispatcher that is killed loses
no row; at worst one e-mail is sent twice, with the same Message-ID.

Calls to URLs that users have entered may be slow. So they run last, with a time budget per user.
"""

import logging
import threading
import time
from collections import defaultdict
from contextlib import closing
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models import Q, QuerySet, prefetch_related_objects
from django.db.models.functions import Now

from accounts.models import User
from games.outbox import registry
from games.outbox.delivery import retries
from games.outbox.handling import Batch, Later, OtherVersion, Superseded
from games.outbox.models import PENDING, Dispatch, Reason
from games.outbox.wake_worker import wake_worker
from lib import log_context
from lib.database.prepared_queries import PreparedQuery
from lib.db_clock import frozen_time, now, now_expression

log = logging.getLogger(__name__)

BATCH_ROWS = 100
FEW_USERS = 4  # up to which a prepared query for each is faster
COLUMNS = tuple(field.attname for field in Dispatch._meta.concrete_fields)

EXTERNAL_SLICE_SECONDS = 1.0  # of external calls, before internal rows get their turn
PER_USER_SECONDS = 5.0  # of each drain, for external calls of one user; failed calls count too
PER_USER_PAUSE = timedelta(seconds=30)  # until the other external calls of such a user
OTHER_VERSION_PAUSE = timedelta(hours=1)  # between two attempts at a row of another version

# A second dispatcher in the same process would only occupy a worker thread. It sets a flag instead,
# and the running one loops once more.
_running = threading.Lock()
_requested = threading.Event()


def drain() -> int:
    """Deliver due rows, batch by batch. Returns the number of rows tried.

    Stops after a third of a lease and wakes the next drain: so each row starts with most of its
    lease left, and the worker's other tasks get their turn.
    """
    if settings.HOLD_EMAILS:
        _warn_held()
        return 0
    until = time.monotonic() + settings.OUTBOX_LEASE_SECONDS / 3
    tried = 0
    spent: defaultdict[int | None, float] = defaultdict(float)
    _requested.set()
    while _requested.is_set() and time.monotonic() < until and _running.acquire(blocking=False):
        try:
            _requested.clear()
            tried += _deliver_all(spent, until)
        finally:
            _running.release()
    if time.monotonic() >= until:
        wake_worker()
    return tried


@cache
def _warn_held() -> None:
    """Log a warning, once per process."""
    log.warning("HOLD_EMAILS is on: nothing is delivered, to anybody, until it is taken away.")


def drop_before(instant: datetime) -> int:
    """Supersede the pending rows created before `instant`. Returns their number.

    For a restored database: the original may have delivered these rows since the backup.
    """
    waiting = Dispatch.objects.filter(PENDING, created_at__lt=instant)
    return waiting.update(superseded_at=now_expression(), lease_until=None, reason=Reason.RESTORED)


def _deliver_all(spent: defaultdict[int | None, float], until: float) -> int:
    """Deliver all due rows, internal ones first. Returns the number of rows tried."""
    tried = _deliver_internal(until)
    while time.monotonic() < until and (claimed := claim(external=True)):
        tried += _deliver_external(claimed, spent, until)
        tried += _deliver_internal(until)
    return tried


def _deliver_internal(until: float) -> int:
    """Deliver due rows without external calls, batch by batch. Returns the number of rows tried."""
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
    """Make these external calls, and in between deliver internal rows that have become due.

    `spent` has the seconds that this drain has used for each user's calls, by user id. Returns the
    number of rows tried.
    """
    tried, postponed, slice_begun = 0, [], time.monotonic()
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
                postponed.append(dispatch)
                continue
            deliver(dispatch, batch)
            spent[dispatch.user_id] += time.monotonic() - begun
            tried += 1
    if postponed:
        _release(postponed, not_before=now() + PER_USER_PAUSE)
    return tried


def due(instant: datetime, *, external: bool = False) -> QuerySet[Dispatch]:
    """Unleased rows due at `instant`, of external handlers or of all others; longest due first."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lte=instant)
    is_external = Q(handler__in=registry.external_keys())
    waiting = Dispatch.objects.filter(PENDING, free, not_before__lte=instant)
    return waiting.filter(is_external if external else ~is_external).order_by("not_before", "pk")


@cache
def _due_rows(
    limit: int, external_keys: tuple[str, ...], *, external: bool, lock: bool
) -> PreparedQuery:
    """The first `limit` rows of `due`; compiled for these external handlers."""

    def build(instant: datetime) -> QuerySet[Any, Any]:
        rows = due(instant, external=external)
        if lock:
            # PostgreSQL skips rows that another dispatcher is claiming; SQLite has one writer.
            rows = rows.select_for_update(skip_locked=True)
        return rows.values_list(*COLUMNS)[:limit]

    return PreparedQuery(build)


def claim(limit: int = BATCH_ROWS, *, external: bool = False) -> list[Dispatch]:
    """Lease up to `limit` due rows, longest due first; no other dispatcher gets them meanwhile."""
    instant = now()
    lease = instant + timedelta(seconds=settings.OUTBOX_LEASE_SECONDS)
    keys = registry.external_keys()
    # Usually there are no external calls to make, and checking for them needs no lock.
    if external and not _due_rows(1, keys, external=True, lock=False)(instant=instant):
        return []
    rows = _due_rows(limit, keys, external=external, lock=True)
    with transaction.atomic():
        claimed = [
            Dispatch.from_db(DEFAULT_DB_ALIAS, COLUMNS, row) for row in rows(instant=instant)
        ]
        if claimed:
            Dispatch.objects.filter(pk__in=[row.pk for row in claimed]).update(lease_until=lease)
    for dispatch in claimed:
        dispatch.lease_until = lease
    _read_users(claimed)
    return claimed


@PreparedQuery
def _user(pk: int) -> QuerySet[Any, Any]:
    rows: QuerySet[Any, Any] = User.objects.filter(pk=pk).values_list()
    return rows


def _read_users(claimed: list[Dispatch]) -> None:
    """Set the users of the rows: by one query for many, by prepared ones for a few."""
    ids = {row.user_id for row in claimed if row.user_id}
    if len(ids) > FEW_USERS:
        prefetch_related_objects(claimed, "user")
        return
    names = [field.attname for field in User._meta.concrete_fields]
    users: dict[int | None, User] = {
        pk: User.from_db(DEFAULT_DB_ALIAS, names, row) for pk in ids for row in _user(pk=pk)
    }
    field = Dispatch._meta.get_field("user")
    for row in claimed:
        field.set_cached_value(row, users.get(row.user_id))


def deliver(dispatch: Dispatch, batch: Batch) -> None:
    """Call the row's handler, and record the outcome in the row.

    Log records meanwhile name the row and the request that led to it, and so do the rows that the
    handler writes.
    """
    fields = {"request_id": dispatch.cause} if dispatch.cause else {}
    with log_context.bound(
        dispatch=dispatch.pk, event=dispatch.event, user=dispatch.user_id, **fields
    ):
        _deliver(dispatch, batch)


def _deliver(dispatch: Dispatch, batch: Batch) -> None:
    try:
        registry.handler_of(dispatch.handler)(dispatch, batch)
    except Superseded as superseded:
        log.info("Not sent: %s.", superseded.reason.value)
        _mark(dispatch, superseded_at=now_expression(), error="", reason=superseded.reason)
    except Later as later:
        _mark(dispatch, not_before=later.until)
    except OtherVersion as other:
        _keep_for_other_version(dispatch, other)
    except Exception as error:
        # The connection may be what failed, so the next row opens a new one.
        if isinstance(error, OSError):
            batch.close()
        record_failure(dispatch, error)
    else:
        _mark_sent(dispatch)


def _keep_for_other_version(dispatch: Dispatch, other: OtherVersion) -> None:
    """Retry the row later, without a limit: the version that knows it may be deployed again."""
    log.error(
        "Dispatch %s (%s) is kept: this version of the program does not know its %s.",
        dispatch.pk,
        dispatch.event,
        other,
    )
    error = f"OtherVersion: {other}"[:80]
    _mark(dispatch, not_before=now() + OTHER_VERSION_PAUSE, error=error)


def record_failure(dispatch: Dispatch, error: Exception) -> None:
    """Record a failed attempt, and either schedule the next one or give the row up."""
    instant = now()
    attempts = dispatch.attempts + 1
    description = retries.describe(error)
    if retries.is_final(error, attempts, instant - dispatch.created_at):
        log.error("Dispatch %s (%s) is given up: %s", dispatch.pk, dispatch.event, description)
        _mark(dispatch, dead_at=instant, attempts=attempts, error=description)
    else:
        wait = retries.retry_delay(error, attempts)
        log.warning(
            "Dispatch %s (%s) waits %.0f s: %s",
            dispatch.pk,
            dispatch.event,
            wait.total_seconds(),
            description,
        )
        _mark(dispatch, not_before=instant + wait, attempts=attempts, error=description)


# Runs once per e-mail. Building it with the ORM would take longer than executing it.
SENT = """
    UPDATE outbox_dispatch SET lease_until = NULL, error = '', sent_at = COALESCE(%s, {present})
    WHERE id = %s AND lease_until = %s
"""


@cache
def _sent() -> str:
    compiler = Dispatch.objects.none().query.get_compiler(connection=connection)
    present, _none = compiler.compile(Now())
    return SENT.format(present=present)


def _mark_sent(dispatch: Dispatch) -> None:
    """Like `_mark`, but faster."""
    frozen, lease = (
        connection.ops.adapt_datetimefield_value(each)
        for each in (frozen_time(), dispatch.lease_until)
    )
    with connection.cursor() as cursor:
        cursor.execute(_sent(), [frozen, dispatch.pk, lease])


def _mark(dispatch: Dispatch, **changes: object) -> None:
    # Only the lease holder may update the row.
    leased = Dispatch.objects.filter(pk=dispatch.pk, lease_until=dispatch.lease_until)
    leased.update(lease_until=None, **changes)


def _release(claimed: list[Dispatch], **changes: object) -> None:
    rows = Dispatch.objects.filter(pk__in=[row.pk for row in claimed])
    rows.filter(lease_until=claimed[0].lease_until).update(lease_until=None, **changes)


def held_back() -> QuerySet[Dispatch]:
    """E-mails that will be retried because a mail server refused them."""
    return Dispatch.objects.filter(PENDING, retries.MAIL_FAILED)


def given_up_since(instant: datetime) -> QuerySet[Dispatch]:
    """E-mails given up since `instant` because a mail server refused them."""
    return Dispatch.objects.filter(retries.MAIL_FAILED, dead_at__gte=instant)


def send_again(dispatches: QuerySet[Dispatch]) -> int:
    """Make these rows due now, as if new, except those that are leased. Returns their number."""
    instant = now()
    free = dispatches.filter(Q(lease_until__isnull=True) | Q(lease_until__lte=instant))
    count = free.update(
        not_before=instant,
        lease_until=None,
        attempts=0,
        error="",
        reason="",
        sent_at=None,
        superseded_at=None,
        dead_at=None,
    )
    wake_worker()
    return count
