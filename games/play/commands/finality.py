"""Finality: publishes that the ending of a match is final, so that it may be counted.

An ending on time can be undone for some days (APPEAL_PERIOD); any other ending is final at once.
The sweep is idempotent, also when several run at once.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games.outbox import publishing
from games.outbox.events import Person
from games.play.events import MatchFinal
from games.play.models.match import APPEAL_PERIOD, ENDED_BY_TIME, Match, by_seat
from lib.db_clock import now

BATCH_MATCHES = 200  # read at a time
MAX_MATCHES = 5000  # of one run; the next run continues


def sweep() -> int:
    """Publish MatchFinal of every match whose ending has become final; returns how many."""
    published = 0
    while published < MAX_MATCHES:
        batch = list(_due(now()))
        done = sum(_make_final(match) for match in batch)
        published += done
        if not done:
            break
    return published


def _due(at: datetime) -> list[Match]:
    """The oldest matches that are over and not final yet, at most a batch."""
    on_time = Q()
    for status, reason in ENDED_BY_TIME:
        on_time |= Q(status=status, reason=reason)
    over = Match.objects.filter(is_final=False, finished_at__lte=at)
    due = over.filter(~on_time | Q(finished_at__lte=at - APPEAL_PERIOD))
    return list(due.order_by("finished_at", "pk")[:BATCH_MATCHES])


def _make_final(match: Match) -> bool:
    """Mark one match as final and publish it; False if it has changed since it was read."""
    with transaction.atomic():
        unchanged = Match.objects.filter(
            pk=match.pk, is_final=False, finished_at=match.finished_at, ply=match.ply
        )
        if not unchanged.update(is_final=True):
            return False
        users = [player.user for player in by_seat(match).values()]
        both = tuple(Person(user.pk, user.is_house, user.closes_at is not None) for user in users)
        publishing.publish(MatchFinal(match=match.pk, ply=match.ply, people=both))
    return True
