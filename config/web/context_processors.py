"""Context processor: demo mode, the site's address, and the counts in the page header."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.lobby.models import count_challenges
from games.play.lists.waiting import count_waiting


def site(request: HttpRequest) -> dict[str, Any]:
    """`demo`, `site_url`, and the counts of the header.

    These are `waiting_count` (matches to move in) and `challenge_count` (challenges to answer).
    They are lazy: a query each on pages that show them.
    """
    user = request.user
    return {
        "demo": settings.DEMO,
        "site_url": settings.SITE_URL,
        "waiting_count": SimpleLazyObject(lambda: count_waiting(user)),
        "challenge_count": SimpleLazyObject(lambda: count_challenges(user)),
    }
