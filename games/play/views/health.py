"""Health endpoint `/health/ready`: 204 while a move can be stored, else 503."""

import logging
import time
from threading import Lock

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.play.commands.health import check_move_path

logger = logging.getLogger(__name__)

# Anybody may ask and a check costs a write, so the result is cached for a second.
FRESH_SECONDS = 1.0

_lock = Lock()
_checked_at = float("-inf")
_ready = False


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """An empty response: 204 if a move can be stored, 503 if not."""
    return HttpResponse(status=204 if _is_ready() else 503)


def _is_ready() -> bool:
    global _checked_at, _ready
    with _lock:
        if time.monotonic() - _checked_at > FRESH_SECONDS:
            try:
                check_move_path()
            except Exception as error:
                logger.error("No move could be stored just now (%s).", type(error).__name__)
                _ready = False
            else:
                _ready = True
            _checked_at = time.monotonic()
        return _ready
