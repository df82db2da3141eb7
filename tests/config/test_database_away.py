"""PostgreSQL is stopped, hangs behind a pooler, or ends connections: pages with 503, never 500."""

import json
import os
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from django.urls import NoReverseMatch, reverse

from tests.config.test_upgrade import MOVES, OPEN
from tests.floors import at_least
from tests.pooler import pooler
from tests.secrecy.channels import URLS
from tests.servers import Postgres, wait_for
from tests.stack import Stack

pytestmark = pytest.mark.servers

WORDS = "The server cannot reach its database at the moment."
PATIENCE_SECONDS = 60


@pytest.fixture
def database() -> Iterator[Postgres]:
    """A server of its own, which a test may stop."""
    server = Postgres()
    server.start()
    yield server
    server.stop()


class Reader:
    """Alice or a visitor at the web server."""

    def __init__(self, service: Stack, cookie: str = "") -> None:
        self._port = urlsplit(service.url()).port or 0
        self._cookie = f"sessionid={cookie}; csrftoken={'c' * 32}" if cookie else ""

    def ask(self, path: str, form: Mapping[str, object] | None = None) -> tuple[int, str]:
        """The status of a page and its text; with a form it is sent."""
        headers = {"Cookie": self._cookie, "Content-Type": "application/x-www-form-urlencoded"}
        body = None
        if form is not None:
            body = urlencode({**form, "csrfmiddlewaretoken": "c" * 32})
        with closing(HTTPConnection("127.0.0.1", self._port, PATIENCE_SECONDS)) as line:
            line.request("GET" if form is None else "POST", path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode()


def pages() -> list[str]:
    """Every page whose address needs no values."""
    addresses = []
    for name in URLS:
        try:
            addresses.append(reverse(name))
        except NoReverseMatch:
            continue
    return addresses


def test_every_page_reports_a_stopped_database(database: Postgres) -> None:
    url = database.create("away")
    with Stack(database_url=url, web=1, workers=0, beat=0) as service:
        (match,), cookies = json.loads(service.shell(OPEN % 1).splitlines()[-1])
        alice, visitor = Reader(service, cookies[0]), Reader(service)
        paths = [*pages(), f"/match/{match}/", f"/match/{match}/battles/", "/people/profile/Bob/"]
        move = {"move": MOVES[0], "ply": 2}
        assert alice.ask(f"/match/{match}/")[0] == 200
        database.kill()
        for path in at_least(40, paths):
            status, page = alice.ask(path)
            # Health endpoints have no page, and a few addresses read no session.
            if path.startswith(("/api/", "/proofs/")):
                assert status in (200, 401, 503), path
                continue
            assert (status == 503 and (WORDS in page or not page)) or status in (204, 404), path
            assert visitor.ask(path)[0] != 500, path
        for reader in (alice, visitor):
            assert reader.ask(f"/match/{match}/move/", move)[0] in (403, 503)
        assert WORDS in alice.ask(f"/match/{match}/move/", move)[1]
        assert WORDS in visitor.ask("/lobby/link/unknown/")[1]
        assert visitor.ask("/health/ready") == (503, "")
        database.start()
        wait_for(lambda: alice.ask("/health/ready")[0] == 204, "It should be ready again.")
        assert alice.ask(f"/match/{match}/move/", move)[0] == 302


@pytest.mark.soak
def test_connections_that_end_at_any_time_cause_no_server_error(database: Postgres) -> None:
    url = database.create("away")
    end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s"
    with Stack(database_url=url, web=1, workers=0, beat=0) as service:
        (match,), cookies = json.loads(service.shell(OPEN % 1).splitlines()[-1])
        statuses: Counter[int] = Counter()
        over = threading.Event()

        def read(reader: Reader) -> None:
            while not over.is_set():
                for path, form in [
                    (f"/match/{match}/", None),
                    ("/", None),
                    ("/lobby/", None),
                    (f"/match/{match}/mark/", {"square": "a7", "mark": "spy"}),
                ]:
                    statuses[reader.ask(path, form)[0]] += 1

        readers = [threading.Thread(target=read, args=[Reader(service, key)]) for key in cookies]
        for each in readers:
            each.start()
        with database.connect() as connection:
            while statuses.total() < 200 or statuses[503] < 10:
                connection.execute(end, [url.rpartition("/")[2]])
                time.sleep(0.03)
        over.set()
        for each in readers:
            each.join()
        log = service.log("web1").read_text()
    assert statuses[500] == 0, (
        statuses,
        re.findall(r"^\w*(?:Error|Exception).*", log, re.MULTILINE),
    )


@pytest.mark.soak
def test_a_database_that_hangs_behind_a_pooler_is_reported_within_seconds(
    database: Postgres,
) -> None:
    with ExitStack() as running:
        url = running.enter_context(pooler(database.create("away")))
        extra = {"TRANSACTION_POOLING": "true"}
        service = running.enter_context(
            Stack(database_url=url, web=1, workers=0, beat=0, extra=extra)
        )
        reader = Reader(service)
        assert reader.ask("/health/ready")[0] == 204
        children = Path(f"/proc/{database.pid}/task/{database.pid}/children").read_text()
        processes = [database.pid, *map(int, children.split())]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            time.sleep(5.1)  # for which an answer may be repeated
            # Two at once, of which one checks and the other waits for it.
            statuses: list[int] = []
            threads = [
                threading.Thread(target=lambda: statuses.append(reader.ask("/health/ready")[0]))
                for _ in range(2)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert set(statuses) <= {503, 504} and len(statuses) == 2
            assert reader.ask("/health/live")[0] == 204
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)
        wait_for(lambda: reader.ask("/health/ready")[0] == 204, "It should be ready again.")
