"""Cache backends: Redis with a fallback to the database table, and that table.

Only rate limits depend on the cache, sessions do not. While Redis is unreachable they are counted
from zero in the database, which costs precision and a few queries but no request.
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

FALLBACK = "database"  # the alias in CACHES
RETRY_SECONDS = 10  # without trying Redis after a failure
TIMEOUT_SECONDS = 0.5  # the longest that an unresponsive Redis may delay a request

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
                logger.error("The Redis cache is unreachable (%s).", type(error).__name__)
        return getattr(caches[FALLBACK], name)(*arguments, **named)

    return method


class RedisCache(DjangoRedisCache):
    """Django's Redis cache, in which each method falls back to the database."""

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
    """Django's database cache, which raises the database's error if it cannot store a value.

    Django's own reports that the key exists already. A rate limit would take that for too many
    attempts, and show the visitor a wrong message.
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
        """Write a row that has expired already, so that the database raises its error."""
        table = connection.ops.quote_name(self._table)
        insert = f"INSERT INTO {table} (cache_key, value, expires) VALUES (%s, %s, %s)"  # noqa: S608
        long_ago = connection.ops.adapt_datetimefield_value(datetime(1970, 1, 1, tzinfo=UTC))
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(insert, [f"probe:{token_hex(16)}", "", long_ago])
