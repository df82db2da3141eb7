"""Retention periods of the outbox: how long its rows are kept."""

from datetime import timedelta

from django.db.models import Q

from games.outbox.models import PENDING, Dispatch
from lib.retention import Kept, oldest_first

KEPT = (
    Kept(
        "messages of the outbox that were sent, given up or no longer needed",
        timedelta(days=30),
        "the event",
        "the primary key",
        oldest_first(Dispatch, "created_at", lambda horizon: ~PENDING & Q(created_at__lt=horizon)),
        Dispatch,
    ),
)
