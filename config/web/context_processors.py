"""Context processor: demo mode, the settings of the site, and the counts in the page header."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from config.web import site_settings
from games.play.lists import waiting


def site(request: HttpRequest) -> dict[str, Any]:
    """`demo`, `site_url`, the settings of the site, and the counts of the header.

    `site_settings` is a function, so that error pages and parts of pages need no query for it.

    `waiting_count` are matches to move in, `challenge_count` challenges to answer. Both are lazy:
    one query for both on pages that show them.
    """
    counts = SimpleLazyObject(lambda: waiting.counts(request.user))
    return {
        "demo": settings.DEMO,
        "site_url": settings.SITE_URL,
        "site_settings": site_settings.current,
        "waiting_count": SimpleLazyObject(lambda: counts.matches),
        "challenge_count": SimpleLazyObject(lambda: counts.challenges),
    }
