"""Retention periods of idempotency keys: how long responses to forms are kept."""

from datetime import timedelta

from django.db.models import Q

from games.idempotency import signed_keys
from games.idempotency.models import StoredResponse
from lib.retention import Kept, oldest_first

# Longer than a key is valid, so that none can act twice even if servers' clocks differ.
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
