"""`python -m tests.bench.club`: a club on one machine with SQLite, as docs/running/install.md says.

`manage.py up` behind Caddy, so many players who move, an SMTP server that takes their e-mails. A
turn is what a player does at one: open the match, send the move, see the page that follows; for
every second turn somebody looks at the front page. Turns begin by the clock, whether or not those
before are over, so that a slow answer delays nobody else's.

`--house 100` gives the house so many first moves to think about meanwhile, at its strongest.
"""

import argparse
import http.client
import json
import os
import secrets
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import tests.environment  # noqa: F401 -- a folder and settings that are nobody's.
from tests.bench.meter import cpu_seconds, memory, percentile
from tests.bench.report import machine
from tests.preloaded import ROOT
from tests.proxies import Proxy
from tests.servers import SmtpSink, free_port, wait_for

CLIENTS = 24  # threads
UNFINISHED_ROWS = """
    SELECT count(*) FROM outbox_dispatch
    WHERE sent_at IS NULL AND superseded_at IS NULL AND dead_at IS NULL
"""
# julianday counts days; of rows whose e-mail left, and of which something else came of.
DELAYS = """
    SELECT (julianday(sent_at) - julianday(max(created_at, not_before))) * 86400
    FROM outbox_dispatch WHERE sent_at IS NOT NULL AND event = 'turn-came' AND created_at > ?
"""
ANSWERED = """
    SELECT count(*) FROM play_ply p JOIN play_player s
    ON s.match_id = p.match_id AND s.seat = p.seat JOIN accounts_user u ON u.id = s.user_id
    WHERE u.house_level != '' AND p.kind = 'move'
"""
OTHERS = "SELECT count(superseded_at), count(dead_at), max(attempts) FROM outbox_dispatch"


class Club:
    """Members who act at the service, each with a session; what each act took, in seconds."""

    def __init__(self, url: str, made: dict[str, Any]) -> None:
        self._address = urlsplit(url).netloc
        self._sessions: dict[str, str] = made["sessions"]
        self._matches = made["matches"]
        self._token = secrets.token_hex(16)
        self._kept = threading.local()
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []

    def turn(self, number: int) -> None:
        """The turn of this number, in the matches one after the other."""
        match = self._matches[number % len(self._matches)]
        step = number // len(self._matches)
        path, player = f"/match/{match['id']}/", match["players"][step % 2]
        move = {"move": match["to_come"][step], "ply": match["ply"] + step}
        self._act("page", player, "GET", path, 200)
        self._act("move", player, "POST", f"{path}move/", 302, **move)
        self._act("page", player, "GET", path, 200)
        if number % 2:
            self._act("front page", match["players"][(step + 1) % 2], "GET", "/", 200)

    def _act(
        self, what: str, player: int, method: str, path: str, due: int, **fields: object
    ) -> None:
        cookie = f"sessionid={self._sessions[str(player)]}; csrftoken={self._token}"
        headers, form = {"Cookie": cookie}, None
        if fields:
            form = urlencode({"csrfmiddlewaretoken": self._token, **fields})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if not hasattr(self._kept, "connection"):
            self._kept.connection = http.client.HTTPConnection(self._address, timeout=60)
        begun = time.perf_counter()
        try:
            self._kept.connection.request(method, path, form, headers)
            answer = self._kept.connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._kept.connection.close()
            self.errors.append(f"{what}: {type(error).__name__}")
            return
        self.seconds[what].append(time.perf_counter() - begun)
        if answer.status != due:
            self.errors.append(f"{what}: {answer.status}")


@contextmanager
def up(var: Path, options: argparse.Namespace, mail: SmtpSink) -> Iterator[tuple[str, Any, int]]:
    """The club's service; its URL, what was prepared in it, and the process."""
    port = free_port()
    with closing(ProxyOn(port)) as proxy:
        environment = {
            "PATH": os.environ["PATH"],
            "VAR_DIR": str(var),
            "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
            "SITE_URL": proxy.url.rstrip("/"),
            "EMAIL_URL": mail.url,
            "LOG_FILE": str(var / "log"),
            "TRUSTED_PROXY_COUNT": "1",
            "PROXY_STAMPS_ARRIVAL": "true",
        }

        def manage(*words: str) -> "subprocess.Popen[str]":
            command = [sys.executable, "manage.py", *words]
            return subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
            )

        manage("migrate", "-v0", "--run-syncdb").communicate()
        prepare = ["players", "matches", "to_come", "house"]
        counts = [f"--{name.replace('_', '-')}={getattr(options, name)}" for name in prepare]
        made = json.loads(manage("prepare_club", *counts).communicate()[0])
        running = ["--port", str(port), "--processes", str(options.processes)]
        process = manage("up", *running, "--workers", str(options.workers))
        try:
            proxy.start()
            assert process.stdout is not None
            wait_for(lambda: "answers at" in process.stdout.readline(), "It should come up.", 120)
            yield proxy.url, made, process.pid
        finally:
            process.terminate()
            process.wait(30)


class ProxyOn(Proxy):
    """Caddy before a port; closed at the end."""

    def __init__(self, port: int) -> None:
        super().__init__("caddy", port)

    def close(self) -> None:
        self.stop()


def play(club: Club, turns: int, a_second: float) -> float:
    """Let turns begin at that rate; the seconds by which the latest of them began too late."""
    with ThreadPoolExecutor(CLIENTS) as clients:
        begun = time.monotonic()

        def take(number: int) -> float:
            lateness = time.monotonic() - begun - number / a_second
            club.turn(number)
            return lateness

        taken = []
        for number in range(turns):
            time.sleep(max(0.0, begun + number / a_second - time.monotonic()))
            taken.append(clients.submit(take, number))
        return max(each.result() for each in taken)


def told(values: list[float]) -> str:
    at = [percentile(values, percent) * 1000 for percent in (50, 95, 99)]
    return f"{len(values):6,}   p50 {at[0]:6.0f} ms   p95 {at[1]:6.0f} ms   p99 {at[2]:6.0f} ms"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.club", description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--rate", type=float, default=10.0, help="moves a second")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--house", type=int, default=0, help="matches in which it is to move")
    options = parser.parse_args(arguments)
    turns = int(options.rate * options.seconds)
    options.to_come = -(-turns // options.matches)
    with ExitStack() as stack:
        var = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="estafette-club-")))
        mail = SmtpSink()
        mail.start()
        stack.callback(mail.stop)
        url, made, pid = stack.enter_context(up(var, options, mail))
        database = stack.enter_context(
            closing(sqlite3.connect(f"file:{var}/estafette.sqlite3?mode=ro", uri=True))
        )
        ask = database.execute
        wait_for(
            lambda: ask(UNFINISHED_ROWS).fetchone() == (0,), "The outbox should come to rest.", 300
        )
        (since,) = ask("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')").fetchone()
        club, before, begun = Club(url, made), cpu_seconds([pid]), time.monotonic()
        load = os.getloadavg()[0]
        late = play(club, turns, options.rate)
        took = time.monotonic() - begun
        used = (cpu_seconds([pid]) - before) / took
        wait_for(
            lambda: ask(UNFINISHED_ROWS).fetchone() == (0,), "The outbox should come to rest.", 300
        )
        delays = [seconds for (seconds,) in ask(DELAYS, [since])]
        (answered,) = ask(ANSWERED).fetchone()
        superseded, dead, attempts = ask(OTHERS).fetchone()
        print(f"{machine()}; load before {load:.1f}, after {os.getloadavg()[0]:.1f}")
        print(
            f"{options.players} players, {turns} turns in {took:.0f} s, {options.processes} web "
            f"processes, {options.workers} workers, SQLite; the latest turn began {late:.2f} s late"
        )
        if options.house:
            print(f"house: {answered} of {options.house} first moves answered by the end")
        for what, values in club.seconds.items():
            print(f"{what:<11}{told(values)}")
        print(f"{'e-mail':<11}{told(delays)}   max {max(delays):.1f} s")
        print(f"superseded {superseded}, given up {dead}, most attempts {attempts}")
        print(f"service: {used:.2f} cores, {memory([pid]):.0f} MiB; errors: {len(club.errors)}")
        for error in sorted(set(club.errors)):
            print(f"  {error} x {club.errors.count(error)}")
    return int(bool(club.errors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
