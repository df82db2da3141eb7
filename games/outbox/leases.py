"""Leases: one worker at a time does a job, and another takes over soon if it is killed.

Leases only avoid duplicate work. Correctness does not depend on them: what is done under a lease
has its own optimistic locks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db.models import Q

from games.outbox.models import Lease as Row
from lib.db_clock import now

LEASE = timedelta(seconds=60)  # without a renewal; then another worker may claim it


class Lease:
    """A claimed lease. Its holder renews it with every batch of work."""

    def __init__(self, name: str, until: datetime) -> None:
        self._name, self._until = name, until

    def renew(self) -> bool:
        """Extend the lease; False if another worker has it by now."""
        return self._set(now() + LEASE)

    def release(self) -> None:
        self._set(None)

    def _set(self, until: datetime | None) -> bool:
        held = Row.objects.filter(name=self._name, until=self._until)
        if not held.update(until=until):
            return False
        self._until = until or self._until
        return True


@contextmanager
def claimed(name: str) -> Iterator[Lease | None]:
    """The lease named `name` while the block runs, or None if another worker has it.

    A killed process does not release its lease; it expires.
    """
    lease = _claim(name)
    try:
        yield lease
    except Exception:
        if lease:
            lease.release()
        raise
    if lease:
        lease.release()


def _claim(name: str) -> Lease | None:
    at = now()
    until = at + LEASE
    # A lease that ends later than a new one was claimed before the database's clock was set back.
    free = Q(until=None) | Q(until__lte=at) | Q(until__gt=until)
    rows = Row.objects.filter(name=name)
    if not rows.filter(free).update(until=until):
        if rows.exists():
            return None
        try_again = Row.objects.bulk_create([Row(name=name)], ignore_conflicts=True)
        if not try_again or not rows.filter(free).update(until=until):
            return None
    return Lease(name, until)
