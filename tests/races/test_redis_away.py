"""Redis, broker and cache, is away past a deadline: who moved is in time, who did not loses."""

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

# Time was up a grace ago but for ten seconds, when the sweep is to look.
SOON = """
UPDATE play_player SET since = now() - interval '3 days', deadline = now() - interval '50 seconds',
    check_at = now() + interval '10 seconds'
WHERE to_act AND match_id IN (%s, %s)
"""
ENDED = "SELECT id, reason FROM play_match WHERE status <> 'running' ORDER BY id"
TOLD = """
SELECT count(*) FROM outbox_dispatch
WHERE event IN ('match-over', 'turn-came') AND handler = 'notify'
    AND sent_at IS NULL AND superseded_at IS NULL AND not_before <= now()
"""


@pytest.mark.servers
def test_deadlines_hold_and_moves_are_taken_without_redis(
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
        # The guess is counted, and refused for what it is.
        assert post("/account/login/", login="Alice", password="troop of wolves") == 200
        # Beat's messages go nowhere; after half a minute the worker goes by its own clock.
        wait_for(
            lambda: database.execute(ENDED).fetchall() == [(late, "time")],
            "The late one should lose, and nobody else.",
            150,
        )
        wait_for(lambda: database.execute(TOLD).fetchone() == (0,), "All should be told.", 120)
        assert database.execute("SELECT count(*) FROM play_outage").fetchone() == (0,)
