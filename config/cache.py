"""Cache in Redis that never fails: while Redis is away, the table in the database stands in.

Sessions do not depend on it. What does are rate limits: while Redis is away they count anew in the
database, which costs precision and a few queries, and nobody an answer.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache as DjangoRedisCache
from redis import RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

STAND_IN = "database"  # the alias in CACHES
RETRY_SECONDS = 10  # that Redis is left alone after a failure
TIMEOUT_SECONDS = 0.5  # for which one that is there and does not answer may hold a request up

_away_until = 0.0  # on the monotonic clock; for all threads of this process


def _guarded(name: str) -> Callable[..., Any]:
    ask = getattr(DjangoRedisCache, name)

    def method(self: "RedisCache", *arguments: Any, **named: Any) -> Any:
        global _away_until
        if time.monotonic() >= _away_until:
            try:
                return ask(self, *arguments, **named)
            except (RedisError, OSError) as error:
                _away_until = time.monotonic() + RETRY_SECONDS
                logger.error("Redis is away as cache (%s).", type(error).__name__)
        return getattr(caches[STAND_IN], name)(*arguments, **named)

    return method


class RedisCache(DjangoRedisCache):
    """Django's cache in Redis, where each method has the stand-in."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        limits = {
            "socket_timeout": TIMEOUT_SECONDS,
            "socket_connect_timeout": TIMEOUT_SECONDS,
            "retry": Retry(NoBackoff(), 0),
        }
        super().__init__(server, {**params, "OPTIONS": {**limits, **params.get("OPTIONS", {})}})

    add = _guarded("add")
    get = _guarded("get")
    set = _guarded("set")
    touch = _guarded("touch")
    delete = _guarded("delete")
    has_key = _guarded("has_key")
    incr = _guarded("incr")
    get_many = _guarded("get_many")
    set_many = _guarded("set_many")
    delete_many = _guarded("delete_many")
    clear = _guarded("clear")
