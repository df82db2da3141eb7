"""Retention periods of idempotency keys: how long responses are kept."""

from datetime import timedelta

from django.db.models import Q

from games.idempotency import client_keys, signed_keys
from games.idempotency.models import StoredApiResponse, StoredResponse
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
    Kept(
        "responses of the API to requests with a key; of one account the newest 1,000",
        client_keys.LIFETIME,
        "the response",
        "the primary key",
        oldest_first(StoredApiResponse, "at", lambda horizon: Q(at__lt=horizon)),
        StoredApiResponse,
    ),
)
