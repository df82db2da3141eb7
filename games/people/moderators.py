"""Moderators: who they are, and how they are notified of reports.

However many reports come within an hour, each moderator gets one row of the outbox, due at its end.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from accounts.models import User
from games.outbox import publishing
from games.outbox.events import people
from games.people.events import ReportsWait
from games.people.models import Report, ReportState
from lib.db_clock import now

if TYPE_CHECKING:
    from django.db.models import QuerySet

DECIDE = "people.decide_report"
HOUR = timedelta(hours=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def everybody() -> QuerySet[User]:
    """Everybody who may decide about reports, by id."""
    able: QuerySet[User] = User.objects.with_perm(DECIDE)
    return able.filter(is_active=True, is_staff=True).order_by("pk").distinct()


def alert(report: Report) -> None:
    """Publish, in this transaction, that a report waits for the moderators."""
    readers = everybody().exclude(pk=report.person_id)
    hour = (now() - EPOCH) // HOUR + 1
    publishing.publish(ReportsWait(hour=hour, people=people(readers)))


def due_at(hour: int) -> datetime:
    """The instant at which the moderators are notified of an hour."""
    return EPOCH + hour * HOUR


def count_waiting(moderator: User) -> int:
    """How many reports wait that are neither about this moderator nor reported by them."""
    waiting = Report.objects.exclude(state=ReportState.CLOSED).exclude(person=moderator)
    return waiting.exclude(complaints__reporter=moderator).count()
