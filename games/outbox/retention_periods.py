"""Retention periods of the outbox: what is kept for how long."""

from datetime import timedelta

from django.db.models import Q

from accounts.retention import Kept, oldest_first
from games.outbox import issued_keys
from games.outbox.models import PENDING, Dispatch, StoredResponse

# Longer than keys count, so that none can act a second time, whatever the servers' clocks say.
RESPONSES_KEPT = issued_keys.LIFETIME + timedelta(days=1)

KEPT = (
    Kept(
        "messages of the outbox that were sent, given up or no longer needed",
        timedelta(days=30),
        "the event",
        "the primary key",
        oldest_first(Dispatch, "created_at", lambda horizon: ~PENDING & Q(created_at__lt=horizon)),
        Dispatch,
    ),
    Kept(
        "responses to forms, so that a form counts once; of one person the newest 1,000",
        RESPONSES_KEPT,
        "the response",
        "the primary key",
        oldest_first(StoredResponse, "at", lambda horizon: Q(at__lt=horizon)),
        StoredResponse,
    ),
)
