"""Context processor: demo mode, and the counts in the page header."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.play.lists import waiting


def site(request: HttpRequest) -> dict[str, Any]:
    """`demo`, `waiting_count` (matches to move in) and `challenge_count` (challenges to answer).

    The counts are lazy: one query for both on pages that show them.
    """
    found = SimpleLazyObject(lambda: waiting.counts(request.user))
    return {
        "demo": settings.DEMO,
        "waiting_count": SimpleLazyObject(lambda: found.matches),
        "challenge_count": SimpleLazyObject(lambda: found.challenges),
    }
