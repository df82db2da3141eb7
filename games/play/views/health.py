"""Health endpoints: `/health/ready` (a move can be stored) and `/health/live` (the process runs).

Anyone may request them, at any rate. So the database is queried at most once a second, and by one
thread at a time: a database that does not answer can block only that thread.
"""

import logging
import time
from threading import Lock

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.play.clocks import load
from games.play.commands.health import check_move_path

logger = logging.getLogger(__name__)

FRESH_SECONDS = 1.0  # an answer is repeated for this long
STALE_SECONDS = 5.0  # also while another thread looks for a new one

_asking = Lock()
_checked_at = float("-inf")
_ready = False


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """An empty response: the process answers. It asks no other service."""
    return HttpResponse(status=204)


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """An empty response: 204 if a move can be stored, 503 if not."""
    return HttpResponse(status=204 if _is_ready() else 503)


def _is_ready() -> bool:
    if _age() <= FRESH_SECONDS:
        return _ready
    if not _asking.acquire(blocking=False):
        return _ready and _age() <= STALE_SECONDS
    try:
        _check()
    finally:
        _asking.release()
    return _ready


def _check() -> None:
    global _checked_at, _ready
    try:
        check_move_path()
        # Before this process counts as ready, the requests that have blocked it must be reported.
        load.report()
    except Exception as error:
        logger.error("No move could be stored just now (%s).", type(error).__name__)
        _ready = False
    else:
        _ready = True
    _checked_at = time.monotonic()


def _age() -> float:
    """Seconds since the last answer was found."""
    return time.monotonic() - _checked_at
