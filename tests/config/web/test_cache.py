"""Redis as cache: if it is down, slow, full or back again, no request fails."""

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache

from config.web import cache
from tests.servers import Redis

pytestmark = [pytest.mark.servers, pytest.mark.django_db]


@pytest.fixture
def cached(redis: Redis, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[BaseCache]:
    monkeypatch.setattr(cache, "_away_until", 0.0)
    settings.CACHES = {
        "default": {"BACKEND": "config.web.cache.RedisCache", "LOCATION": redis.url},
        cache.FALLBACK: settings.CACHES["default"],
    }
    yield caches["default"]
    caches["default"].close()


def use(cached: BaseCache) -> None:
    """Call every method of a cache."""
    cached.set("a", 1)
    assert cached.get("a") == 1 and "a" in cached
    assert cached.incr("a") == 2
    assert cached.add("a", 5) is False
    assert cached.touch("a")
    cached.set_many({"b": 1, "c": 2})
    assert cached.get_many(["b", "c"]) == {"b": 1, "c": 2}
    cached.delete_many(["b", "c"])
    assert cached.delete("a")
    assert cached.get_or_set("d", 4) == 4
    with pytest.raises(ValueError, match="not found"):
        cached.incr("nothing")
    cached.clear()
    assert cached.get("d") is None


def test_the_cache_uses_redis_while_it_is_up(cached: BaseCache, redis: Redis) -> None:
    use(cached)
    cached.set("here", 1)
    assert redis.client().dbsize() == 1


def test_the_database_replaces_redis_while_it_is_down(cached: BaseCache, redis: Redis) -> None:
    redis.kill()
    use(cached)


def test_an_unresponsive_redis_delays_one_request_only(
    cached: BaseCache, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    cached.set("a", 1)
    pid = redis.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        begun = time.monotonic()
        use(cached)
        # A dozen calls take the time of one.
        assert time.monotonic() - begun < 4 * cache.TIMEOUT_SECONDS
    finally:
        os.kill(pid, signal.SIGCONT)
    (message,) = [
        record.getMessage() for record in caplog.records if record.name == "config.web.cache"
    ]
    assert message == "The Redis cache is unreachable (TimeoutError)."


def test_a_full_redis_counts_as_unreachable(cached: BaseCache, redis: Redis) -> None:
    redis.client().config_set("maxmemory", "1")
    use(cached)


def test_redis_is_used_again_once_it_is_back(
    cached: BaseCache, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "RETRY_SECONDS", 0.2)
    redis.kill()
    cached.set("a", 1)
    redis.start()
    time.sleep(0.3)
    cached.set("b", 1)
    assert redis.client().dbsize() == 1
