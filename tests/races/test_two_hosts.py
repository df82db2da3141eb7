"""Two hosts, each with a web server and a worker; one is cut off while people play, and returns.

PostgreSQL, Redis and the proxy are on a third. Moves continue, none is lost or played twice, no
false outage is credited, and nothing waits for work of the lost host.
"""

import json
import shutil
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest

from tests.config.test_upgrade import LENGTH, MOVES, OPEN
from tests.hosts import Host, Network
from tests.proxies import Proxy
from tests.servers import Postgres, Redis, wait_for
from tests.stack import CELERY, Stack

WEB_PORT = 8000
PLAYERS, MATCHES = 3, 20
PATIENCE_SECONDS = 8  # of a player, who then sends the form again
PAUSE_SECONDS = 0.2


# A move whose host never finishes it.
HOLD = """
import time
from django.db import transaction
from games.play.models.match import Match
with transaction.atomic():
    Match.objects.select_for_update().get(pk=%d)
    time.sleep(600)
"""
HELD = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'"
HELD += " AND state_change < now() - interval '1 second'"


class Club:
    """The service on its hosts, and players who use the proxy."""

    def __init__(self, network: Network, parts: ExitStack) -> None:
        self.hosts = network.hosts
        self.postgres = Postgres(address=network.here)
        redis = Redis(network.here)
        for server in (self.postgres, redis):
            parts.callback(server.stop)
            server.start()
        self.url = self.postgres.create("hosts")
        webs = [f"http://{host.address}:{WEB_PORT}" for host in self.hosts]
        extra = {
            "BROKER_URL": redis.url,
            "CACHE_URL": f"rediscache://{network.here}:{redis.port}/1",
            "WEB_URL": ",".join(webs),
            "ALLOWED_HOSTS": ",".join(["127.0.0.1", *(host.address for host in self.hosts)]),
            "TRUSTED_PROXY_COUNT": "1",
            "PROXY_STAMPS_ARRIVAL": "true",
            "PROXY_ADDRESSES": network.here,
        }
        # It starts nothing here; it makes the keys, and asks the database.
        self.service = Stack(database_url=self.url, web=0, workers=0, beat=0, extra=extra)
        parts.enter_context(self.service)
        for host in self.hosts:
            self._start(host)
        self.proxy = Proxy("nginx", 1)
        parts.callback(self.proxy.stop)
        self.proxy.ask_instead([f"{host.address}:{WEB_PORT}" for host in self.hosts])
        self.proxy.start()
        for host in self.hosts:
            wait_for(partial(self.is_ready, host), f"{host.name} should be ready.", 120)

    def _start(self, host: Host) -> None:
        var = self.service.var / host.name
        var.mkdir()
        for key in ("secret_key", "seal_key", "proof_key", "vapid_key"):
            shutil.copy(self.service.var / key, var)
        serve = ["manage.py", "serve", "--host", "0.0.0.0", "--port", str(WEB_PORT)]
        worker = [*CELERY, "worker", "-P", "threads", "-c", "2", "-n", f"worker@{host.name}"]
        for command in (serve, worker):
            self.run(host, *command)

    def run(self, host: Host, *command: str) -> None:
        """Start one of our programs on that host."""
        var = self.service.var / host.name
        environment = self.service.environment | {"VAR_DIR": str(var)}
        host.start([sys.executable, *command], environment, var / "log")

    @staticmethod
    def is_ready(host: Host) -> bool:
        address = f"http://{host.address}:{WEB_PORT}/health/ready"
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 204)

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as database:
            return database.execute(statement).fetchall()


class Players:
    """Players who each play both sides of one match, and send a form until it is answered."""

    def __init__(self, club: Club) -> None:
        output = club.service.shell(OPEN % (PLAYERS * MATCHES + 1)).splitlines()[-1]
        (self.held, *self.matches), self._cookies = json.loads(output)
        self._port = club.proxy.port
        self.acknowledged: Counter[int] = Counter()  # moves, by match
        self.unanswered = 0
        self.ended = False

    def play(self, number: int) -> None:
        for match in self.matches[number::PLAYERS]:
            for ply in range(LENGTH):
                while not self.send(match, ply):
                    self.unanswered += 1
                    if self.ended:
                        return
                self.acknowledged[match] += 1
                if self.ended:
                    return
                time.sleep(PAUSE_SECONDS)
        raise AssertionError("They should play until the end.")

    def send(self, match: int, ply: int, patience: float = PATIENCE_SECONDS) -> bool:
        """Send a move; returns whether it was acknowledged, and after how many seconds."""
        headers = {
            "Cookie": f"sessionid={self._cookies[ply % 2]}; csrftoken={'c' * 32}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        fields = {"move": MOVES[ply % 4], "ply": 2 + ply, "csrfmiddlewaretoken": "c" * 32}
        with suppress(OSError, HTTPException):
            with closing(HTTPConnection("127.0.0.1", self._port, timeout=patience)) as line:
                line.request("POST", f"/match/{match}/move/", urlencode(fields), headers)
                status = line.getresponse().status
            assert status in (302, 502, 503, 504), status
            return status == 302
        return False

    def go_on(self, moves: int = 15, seconds: float = 90) -> None:
        """Wait until this many more moves are acknowledged."""
        wanted = self.acknowledged.total() + moves
        wait_for(lambda: self.acknowledged.total() >= wanted, "Moves should go on.", seconds)


@pytest.fixture
def club() -> Iterator[Club]:
    with ExitStack() as parts:
        yield Club(parts.enter_context(Network(hosts=2)), parts)


@pytest.mark.soak
@pytest.mark.servers
def test_a_host_that_is_cut_off_and_returns_loses_no_move(club: Club) -> None:
    lost = club.hosts[1]
    players = Players(club)
    failing = "SELECT url FROM play_webserver WHERE failing_since IS NOT NULL"
    with ThreadPoolExecutor(PLAYERS) as people:
        playing = [people.submit(players.play, number) for number in range(PLAYERS)]
        try:
            players.go_on()
            club.run(lost, "manage.py", "shell", "--no-imports", "-c", HOLD % players.held)
            wait_for(lambda: club.ask(HELD) == [(1,)], "It should be in the midst of a move.")
            lost.pull_the_cable()
            players.go_on(30)
            # Nor does the match wait that the lost host was writing.
            assert any(players.send(players.held, 0, patience=60) for _ in range(3))
            players.acknowledged[players.held] += 1
            wait_for(
                lambda: club.ask(failing) == [(f"http://{lost.address}:{WEB_PORT}",)],
                "The other host's worker should notice.",
                120,
            )
            players.go_on()
            lost.put_it_back()
            wait_for(lambda: club.is_ready(lost), "It should be ready again.", 120)
            wait_for(lambda: not club.ask(failing), "That should be noticed as well.", 120)
            players.go_on()
        finally:
            players.ended = True
        for one in playing:
            one.result()
    # Every acknowledged move is in the record once; one unfinished at the end may be, too.
    stored = Counter(
        dict(club.ask("SELECT match_id, count(*) FROM play_ply WHERE kind = 'move' GROUP BY 1"))
    )
    assert not players.acknowledged - stored
    assert (stored - players.acknowledged).total() <= PLAYERS
    assert club.ask("SELECT count(*) FROM play_outage") == [(0,)]
    # One notification for each turn, and all of them delivered.
    turns = stored.total() + 1 + len(players.matches)
    posted = "FROM outbox_dispatch WHERE event = 'turn-came' AND handler = 'notify'"
    open_rows = "FROM outbox_dispatch WHERE sent_at IS NULL AND superseded_at IS NULL"
    assert club.ask(f"SELECT count(*) {posted}") == [(turns,)]
    due = f"SELECT count(*) {open_rows} AND (dead_at IS NOT NULL OR not_before <= now())"
    wait_for(lambda: club.ask(due) == [(0,)], "Nothing should be left undelivered.", 150)
