"""What every page may need to know of the site itself."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.lobby.waiting import count_challenges
from games.play.waiting import count_waiting


def site(request: HttpRequest) -> dict[str, Any]:
    """`demo`, and what waits for this reader: matches, and challenges to answer.

    The two numbers cost a query each on the pages that show them, and nothing elsewhere.
    """
    user = request.user
    return {
        "demo": settings.DEMO,
        "waiting_count": SimpleLazyObject(lambda: count_waiting(user)),
        "challenge_count": SimpleLazyObject(lambda: count_challenges(user)),
    }
