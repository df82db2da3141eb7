"""Health endpoints: `/health/ready` (a move can be stored) and `/health/live` (the process runs).

Anyone may request them, at any rate. So the database is queried at most once a second, and by one
thread at a time; others wait for its answer. A database that does not answer holds them for
CHECK_SECONDS in all, however many ask.
"""

import logging
import time
from threading import Condition

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.play.clocks import load
from games.play.commands.health import check_move_path
from lib.database.time_limit import time_limit

logger = logging.getLogger(__name__)

FRESH_SECONDS = 1.0  # an answer is repeated for this long
STALE_SECONDS = 5.0  # that it is ready, also while another thread looks for a new answer
CHECK_SECONDS = 5.0  # for a check; less than those who ask wait for an answer

READY, UNREADY = 204, 503
# A service that is too slow, as distinct from one that fails (docs/time.md).
SLOW = 504

_changed = Condition()
_checked_at = float("-inf")
_status = UNREADY
_began: float | None = None  # of the check that is running


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """An empty response: the process answers. It asks no other service."""
    return HttpResponse(status=204)


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """An empty response: 204 if a move can be stored, 503 if not, 504 if the check is too slow."""
    return HttpResponse(status=_current_status())


def _current_status() -> int:
    global _began, _checked_at, _status
    with _changed:
        if _age() <= FRESH_SECONDS:
            return _status
        if _began is not None:
            return _status_of_running_check(_began)
        began = _began = time.monotonic()
    status = UNREADY
    try:
        status = _check(began)
    finally:
        with _changed:
            _began, _checked_at, _status = None, time.monotonic(), status
            _changed.notify_all()
    return status


def _status_of_running_check(began: float) -> int:
    """The result of the check that another thread began; the last one if that is recent."""
    if _status == READY and _age() <= STALE_SECONDS:
        return _status
    left = began + CHECK_SECONDS - time.monotonic()
    return _status if _changed.wait_for(lambda: _began != began, left) else SLOW


def _check(began: float) -> int:
    try:
        with time_limit(CHECK_SECONDS):
            check_move_path()
            # Before this process counts as ready, the requests that have blocked it must be
            # reported.
            load.report()
    except Exception as error:
        logger.error("No move could be stored just now (%s).", type(error).__name__)
        return SLOW if time.monotonic() - began >= CHECK_SECONDS else UNREADY
    return READY


def _age() -> float:
    """Seconds since the last answer was found."""
    return time.monotonic() - _checked_at
