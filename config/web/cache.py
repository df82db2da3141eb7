"""Cache in Redis that never fails, with the table in the database as its stand-in.

Sessions do not depend on it. What does are rate limits: while Redis is away they count anew in the
database, which costs precision and a few queries, and nobody an answer.
"""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache as DjangoDatabaseCache
from django.core.cache.backends.redis import RedisCache as DjangoRedisCache
from django.db import connection, transaction
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


class DatabaseCache(DjangoDatabaseCache):
    """Django's cache in the database, where a database that can store nothing says so.

    Django's own answers as if somebody else had been quicker. A rate limit that cannot count takes
    that for too many attempts, and the visitor is told something that is not so.
    """

    _table: str

    def _base_set(
        self, mode: str, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT
    ) -> bool:
        stored: bool = super()._base_set(mode, key, value, timeout)  # type: ignore[misc]
        if not stored and mode != "touch" and self._is_missing(key):
            self._try_to_write()
        return stored

    def _is_missing(self, key: str) -> bool:
        table = connection.ops.quote_name(self._table)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT 1 FROM {table} WHERE cache_key = %s", [key])  # noqa: S608
            return cursor.fetchone() is None

    def _try_to_write(self) -> None:
        """Raise what the database raises at a write; what is written expires at once."""
        table = connection.ops.quote_name(self._table)
        insert = f"INSERT INTO {table} (cache_key, value, expires) VALUES (%s, %s, %s)"  # noqa: S608
        long_ago = connection.ops.adapt_datetimefield_value(datetime(1970, 1, 1, tzinfo=UTC))
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(insert, [f"probe:{token_hex(16)}", "", long_ago])
