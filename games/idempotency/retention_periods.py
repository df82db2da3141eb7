"""Retention periods of idempotency keys: how long the response to a form is kept."""

from datetime import timedelta

from django.db.models import Q

from games.idempotency import signed_keys
from games.idempotency.models import StoredResponse
from lib.retention import Kept, oldest_first

# Longer than keys count, so that none can act a second time, whatever the servers' clocks say.
RESPONSES_KEPT = signed_keys.LIFETIME + timedelta(days=1)

KEPT = (
    Kept(
        "responses to forms, so that a form counts once; of one person the newest 1,000",
        RESPONSES_KEPT,
        "the response",
        "the primary key",
        oldest_first(StoredResponse, "at", lambda horizon: Q(at__lt=horizon)),
        StoredResponse,
    ),
)
