"""Redis, broker and cache, is down past a deadline: a late player loses, one in time does not."""

import json
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import psycopg
import pytest

from tests.config.test_upgrade import OPEN
from tests.servers import Postgres, Redis, wait_for
from tests.stack import Stack

# The grace period ends in ten seconds, when the sweep checks the clock.
SOON = """
UPDATE play_player SET since = now() - interval '3 days', deadline = now() - interval '50 seconds',
    check_at = now() + interval '10 seconds'
WHERE to_act AND match_id IN (%s, %s)
"""
ENDED = "SELECT id, reason FROM play_match WHERE status <> 'running' ORDER BY id"
BOTH_NOTIFIED = """
SELECT count(*) FROM outbox_dispatch
WHERE event IN ('match-over', 'turn-came') AND handler = 'notify'
    AND sent_at IS NULL AND superseded_at IS NULL AND not_before <= now()
"""


@pytest.mark.soak
@pytest.mark.servers
def test_deadlines_hold_and_moves_are_accepted_without_redis(
    stack: Callable[..., Stack], postgres: Postgres
) -> None:
    redis = Redis()
    redis.start()
    url = postgres.create("away")
    extra = {"CACHE_URL": redis.url.replace("redis:", "rediscache:", 1)}
    try:
        service = stack(database_url=url, broker_url=redis.url, web=1, extra=extra)
        (moved, late), cookies = json.loads(service.shell(OPEN % 2).splitlines()[-1])
    finally:
        redis.kill()

    def post(path: str, cookie: str = "", **fields: str) -> int:
        headers = {
            "Cookie": f"sessionid={cookie}; csrftoken={'c' * 32}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        form = urlencode({"csrfmiddlewaretoken": "c" * 32, **fields})
        netloc = urlsplit(service.url()).netloc
        with closing(HTTPConnection(netloc, timeout=60)) as line:
            line.request("POST", path, form, headers)
            return line.getresponse().status

    with psycopg.connect(url, autocommit=True) as database:
        database.execute(SOON, [moved, late])
        assert post(f"/match/{moved}/move/", cookies[0], move="a4-a5", ply="2") == 302
        # The guess is counted, and refused as wrong.
        assert post("/account/login/", login="Alice", password="troop of wolves") == 200
        # Beat's messages are lost; after half a minute the worker uses its own schedule.
        wait_for(
            lambda: database.execute(ENDED).fetchall() == [(late, "time")],
            "The late one should lose, and nobody else.",
            150,
        )
        wait_for(
            lambda: database.execute(BOTH_NOTIFIED).fetchone() == (0,), "All should be told.", 120
        )
        assert database.execute("SELECT count(*) FROM play_outage").fetchone() == (0,)
