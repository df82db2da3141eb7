"""What every page may need to know of the site itself."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.play.waiting import count_waiting


def site(request: HttpRequest) -> dict[str, Any]:
    """`demo`, `theme` and `waiting_count`, the one number of matches that wait for this reader."""
    user = request.user
    return {
        "demo": settings.DEMO,
        "theme": user.theme if user.is_authenticated else "",
        "waiting_count": SimpleLazyObject(lambda: count_waiting(user)),
    }
