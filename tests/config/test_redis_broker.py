"""A worker whose Redis is killed again and again while it holds a message it has not begun."""

from pathlib import Path

import pytest

from tests.servers import Redis, wait_for
from tests.stack import Stack

pytestmark = pytest.mark.servers

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.config.settings"}
PUBLISH = "from tests.config.tasks import note, occupy\n"
KILLS = 6  # it depends on what the worker is told of first


def test_it_lives_on_and_is_woken_by_the_next(tmp_path: Path) -> None:
    redis, notes = Redis(), tmp_path / "notes"
    redis.start()
    try:
        with Stack(
            web=0, beat=0, workers=1, pool="prefork", broker_url=redis.url, extra=SETTINGS
        ) as stack:
            log = stack.log("worker1")
            stack.shell(f"{PUBLISH}for _ in range(2): occupy.delay(3)")
            for number in range(1, KILLS + 1):
                # Both processes are busy, so that it holds these, and waits for more.
                stack.shell(f"{PUBLISH}occupy.delay(3)")
                redis.kill()
                wait_for(lambda n=number: log.read_text().count("Connection refused") >= n, "Told.")
                redis.start()
                wait_for(
                    lambda n=number: log.read_text().count("Connected to redis") > n,
                    "It should be connected again.",
                )
            stack.shell(f"{PUBLISH}note.delay({str(notes)!r}, 'woken')")
            wait_for(notes.exists, "It should be woken.")
    finally:
        redis.stop()
