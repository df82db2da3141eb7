"""Readiness: while no move can be stored, no player loses on time."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries, Settings

from games.outbox.models import Dispatch
from games.play.clocks import heartbeat
from games.play.commands import health
from games.play.commands.health import ProbeAnswer, ProbeResult
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.models.time import Heartbeat, WebServer
from games.play.record import match_store
from games.play.views import health as ready_view
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.stack import Stack

pytestmark = pytest.mark.postgresql_soak

READY = "/health/ready"
READ_ONLY = {
    "sqlite": "PRAGMA query_only = 1",
    "postgresql": "SET default_transaction_read_only = on",
}
WRITABLE = {
    "sqlite": "PRAGMA query_only = 0",
    "postgresql": "SET default_transaction_read_only = off",
}

# A match whose time will be up in an hour, and what the workers do about that two hours later.
BEGIN = """
from datetime import timedelta
from games.play.commands import health
from games.play.models.match import Player
from lib.db_clock import now
from tests.play import match_helpers
match_helpers.running_match(match_helpers.people(), "a4-a5")
Player.objects.filter(to_act=True).update(deadline=now() + timedelta(hours=1))
health.take_heartbeat()
"""
LATER = """
import json
from datetime import timedelta
from games.play import tasks
from games.play.commands import health
from games.play.models.match import Match
from games.play.models.time import Outage
from lib.db_clock import frozen_at, now
with frozen_at(now() + timedelta(hours=2)):
    health.take_heartbeat()
    tasks.settle()
    tasks.sweep()
print(json.dumps([Match.objects.get().status, Outage.objects.count()]))
"""


@pytest.fixture(autouse=True)
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test gets a cached answer of another test."""
    monkeypatch.setattr(ready_view, "_checked_at", float("-inf"))


def everything() -> list[object]:
    return [list(kind.objects.order_by("pk").values()) for kind in (Match, Player, Ply, Dispatch)]


def test_a_check_changes_nothing(who: People, client: Client) -> None:
    match_helpers.running_match(who, "a4-a5")
    before = everything()
    response = client.get(READY)
    assert (response.status_code, response.content) == (204, b"")
    assert everything() == before


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_read_only_database_is_not_ready(who: People, client: Client) -> None:
    match_helpers.running_match(who, "a4-a5")
    heartbeat.beat()
    with connection.cursor() as cursor:
        cursor.execute(READ_ONLY[connection.vendor])
    try:
        assert client.get(READY).status_code == 503
    finally:
        with connection.cursor() as cursor:
            cursor.execute(WRITABLE[connection.vendor])


def test_a_wrong_sealing_key_is_not_ready(who: People, client: Client, settings: Settings) -> None:
    match_helpers.running_match(who, "a4-a5")
    settings.SEAL_KEYS = ["another key of at least thirty-two letters"]
    assert client.get(READY).status_code == 503


def test_broken_matches_do_not_stop_time_for_all(
    who: People, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = match_store.SAMPLE_PLIES + 2
    matches = [match_helpers.running_match(who, "a4-a5") for _ in range(count)]
    Ply.objects.exclude(match=matches[-1]).update(sealed=b"broken")
    assert client.get(READY).status_code == 204
    Ply.objects.update(sealed=b"broken")
    monkeypatch.setattr(ready_view, "_checked_at", float("-inf"))
    assert client.get(READY).status_code == 503


@pytest.mark.parametrize("count", [1, match_store.SAMPLE_PLIES])
def test_one_match_without_its_newest_ply_is_named_and_several_make_the_service_unready(
    who: People, client: Client, count: int
) -> None:
    broken = [match_helpers.running_match(who, "a4-a5").pk for _ in range(count)]
    Ply.objects.filter(match__in=broken, number=F("match__ply")).delete()
    assert client.get(READY).status_code == (204 if count == 1 else 503)
    assert health.broken_matches() == broken
    with pytest.raises(match_store.BrokenRecordError, match=f"Match {broken[0]} lacks"):
        match_store.load_match(broken[0])


def test_a_service_without_matches_is_ready(db: None, client: Client) -> None:
    assert client.get(READY).status_code == 204


def test_the_database_is_checked_at_most_once_a_second(
    who: People, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match_helpers.running_match(who, "a4-a5")
    client.get(READY)
    with django_assert_num_queries(0):
        assert client.get(READY).status_code == 204


@contextmanager
def web_server(status: int | None) -> Iterator[str]:
    """A web server that answers everything with this status; with None it never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    taken.append(connection)
                    if status is not None:
                        connection.recv(4096)
                        connection.sendall(f"HTTP/1.0 {status} So\r\n\r\n".encode())
                        connection.close()

        taken: list[socket.socket] = []
        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
        for connection in taken:
            connection.close()


NOBODY = "http://127.0.0.1:1"  # where no server listens


@pytest.mark.parametrize(
    ("status", "finding"),
    [
        (204, ProbeResult.READY),
        (200, ProbeResult.DOWN),
        (503, ProbeResult.DOWN),
        (504, ProbeResult.SLOW),
        (None, ProbeResult.SLOW),
    ],
)
def test_a_probe_reports_the_state_of_a_web_server(
    monkeypatch: pytest.MonkeyPatch, status: int | None, finding: ProbeResult
) -> None:
    monkeypatch.setattr(health, "TIMEOUT_SECONDS", 0.3)
    with web_server(status) as url:
        assert health.probe(url).finding is finding
    assert health.probe(NOBODY) == ProbeAnswer(
        ProbeResult.DOWN, "no answer (ConnectionRefusedError)"
    )


def test_one_ready_web_server_is_enough_and_a_broken_one_is_reported(
    db: None, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with web_server(204) as ready, web_server(503) as broken:
        settings.WEB_URLS = (broken, ready, NOBODY)
        for _ in range(2):
            health.take_heartbeat()
        assert Heartbeat.objects.exists()
        assert {one.url: one.failure for one in health.failing_servers()} == {
            broken: "it answers 503",
            NOBODY: "no answer (ConnectionRefusedError)",
        }
        assert [record.levelname for record in caplog.records] == ["WARNING"] * 2
        settings.WEB_URLS = (ready,)
        health.take_heartbeat()
        assert [one.url for one in WebServer.objects.all()] == [ready]


@pytest.mark.parametrize("status", [None, 502])
def test_a_proxy_that_blocks_everybody_stops_the_clocks_for_exactly_that_time(
    db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch, status: int | None
) -> None:
    monkeypatch.setattr(health, "TIMEOUT_SECONDS", 0.3)
    with web_server(204) as ready, web_server(status) as proxy:
        settings.WEB_URLS, settings.PROXY_URLS = (ready,), (proxy,)
        assert health.ask_servers() is ProbeResult.SLOW
        assert [one.url for one in health.failing_servers()] == [proxy]
        settings.PROXY_URLS = (proxy, ready)
        assert health.ask_servers() is ProbeResult.READY
        settings.WEB_URLS = (NOBODY,)
        assert health.ask_servers() is ProbeResult.DOWN


def test_a_web_server_that_recovers_is_reported_too(
    db: None, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with web_server(204) as url:
        settings.WEB_URLS = (url,)
        WebServer.objects.create(url=url, failing_since=now(), failure="it answers 503")
        health.take_heartbeat()
    assert not list(health.failing_servers())
    assert "is ready again" in caplog.text


@pytest.mark.parametrize("status", [503, None])
def test_without_a_ready_web_server_there_is_no_heartbeat(
    db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch, status: int | None
) -> None:
    monkeypatch.setattr(health, "TIMEOUT_SECONDS", 0.3)
    at = now()
    Heartbeat.objects.create(pk=1, started_at=at, last_beat_at=at)
    with web_server(status) as url:
        settings.WEB_URLS = (url,)
        health.take_heartbeat()
    beat = Heartbeat.objects.get()
    assert (beat.last_beat_at, beat.last_contact_at is not None) == (at, status is None)


def test_without_any_web_url_the_worker_tries_the_move_path_itself(
    who: People, settings: Settings
) -> None:
    match_helpers.running_match(who, "a4-a5")
    health.take_heartbeat()
    settings.SEAL_KEYS = ["another key of at least thirty-two letters"]
    with frozen_at(now() + timedelta(seconds=20)):
        beat = Heartbeat.objects.get().last_beat_at
        health.take_heartbeat()
    assert Heartbeat.objects.get().last_beat_at == beat


def test_sessions_that_cannot_be_stored_are_not_ready(
    db: None, client: Client, settings: Settings
) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cache"
    assert client.get(READY).status_code == 503


def redis_at(port: int, **options: object) -> dict[str, object]:
    backend = "django.core.cache.backends.redis.RedisCache"
    url = f"redis://127.0.0.1:{port}/0"
    return {"default": {"BACKEND": backend, "LOCATION": url, "OPTIONS": options}}


def test_an_unreachable_cache_is_no_failure(db: None, client: Client, settings: Settings) -> None:
    settings.CACHES = redis_at(1)
    assert client.get(READY).status_code == 204


def test_a_slow_cache_is_a_failure(
    db: None, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "CACHE_SECONDS", 0.2)
    with web_server(None) as url:
        settings.CACHES = redis_at(int(url.rpartition(":")[2]), socket_timeout=0.3)
        assert client.get(READY).status_code == 503


@pytest.fixture
def stalled(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """A check that has begun in another thread; it ends when this is called."""
    begun, goes_on = threading.Event(), threading.Event()

    def stall() -> None:
        begun.set()
        goes_on.wait(30)

    monkeypatch.setattr(ready_view, "check_move_path", stall)
    asker = threading.Thread(target=ready_view._current_status)
    asker.start()
    assert begun.wait(30)

    def go_on() -> None:
        goes_on.set()
        asker.join()

    yield go_on
    go_on()


def test_two_simultaneous_checks_both_report_ready(
    client: Client, stalled: Callable[[], None]
) -> None:
    """Two workers in phase, with a web server that nobody has asked for a while."""
    other = threading.Timer(0.2, stalled)
    other.start()
    assert client.get(READY).status_code == 204
    other.join()


def test_a_stalled_check_delays_others_for_a_limited_time(
    client: Client, monkeypatch: pytest.MonkeyPatch, stalled: Callable[[], None]
) -> None:
    monkeypatch.setattr(ready_view, "CHECK_SECONDS", 0.2)
    assert client.get(READY).status_code == 504
    # A recent answer is repeated, an old one is not.
    monkeypatch.setattr(ready_view, "FRESH_SECONDS", 0.0)
    monkeypatch.setattr(ready_view, "_status", 204)
    monkeypatch.setattr(ready_view, "_checked_at", time.monotonic())
    assert client.get(READY).status_code == 204
    monkeypatch.setattr(ready_view, "STALE_SECONDS", 0.0)
    assert client.get(READY).status_code == 504


def test_the_liveness_check_queries_nothing(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready_view, "check_move_path", lambda: 1 / 0)
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/health/live").status_code == 204
        assert client.post("/health/live").status_code == 405
    assert not queries.captured_queries


@pytest.mark.soak
@pytest.mark.servers
def test_an_outage_of_the_web_server_alone_ends_no_match(
    stack: Callable[..., Stack],
) -> None:
    service = stack(web=1, workers=0, beat=0)
    service.environment["WEB_URL"] = service.url()
    service.shell(BEGIN)
    service.kill("web1")
    assert json.loads(service.shell(LATER).splitlines()[-1]) == ["running", 0]
    service.start("web1")
    service.wait_until_up("web1")
    # The time since the last beat is credited, and the match continues.
    assert json.loads(service.shell(LATER).splitlines()[-1]) == ["running", 1]
