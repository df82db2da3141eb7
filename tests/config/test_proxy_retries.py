"""Moves sent through nginx and Caddy while web server processes are killed and restarted."""

import itertools
import json
import os
import signal
import socketserver
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest
from django.db.models import Count, QuerySet
from django.utils.timezone import now

from games.play.models.kind import PlyKind
from games.play.models.ply import Ply
from tests.config.test_upgrade import LENGTH, MOVES, OPEN
from tests.proxies import Proxy
from tests.servers import serve, wait_for
from tests.stack import Stack

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="It finds processes in /proc."),
]

CLIENTS = 6  # more than a web server process has threads
MATCHES = 8  # of each client
PAUSE_SECONDS = 0.1  # between two moves of a client
PATIENCE_SECONDS = 60
STOPS = 4
# OPEN prints matches and sessions; each form also needs an idempotency key of its own.
PREPARE = f"""
{OPEN % (CLIENTS * MATCHES)}
from games.idempotency.replay import new_key
keys = [[new_key(people[ply % 2]) for ply in range({LENGTH})] for _ in matches]
print(json.dumps([matches, cookies, keys]))
"""


class TwoProcesses(Stack):
    """A service whose web server consists of two processes on one listening socket."""

    def children(self) -> set[int]:
        pid = self.pid("web1")
        return set(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))

    def both(self) -> set[int]:
        """Both processes, once both run."""
        wait_for(lambda: len(self.children()) == 2, "Both should run.")
        return self.children()

    def kill_one(self, processes: set[int], is_at_work: Callable[[], bool]) -> int:
        """Kill one of these processes; returns when it is gone.

        They are stopped in turn, until `is_at_work` says that one is answering a form.
        """
        for process in itertools.islice(itertools.cycle(processes), 30):
            os.kill(process, signal.SIGSTOP)
            if is_at_work():
                os.kill(process, signal.SIGKILL)
                # Its parent has reaped it then, so none of its threads is left.
                wait_for(lambda: process not in self.children(), "It should be gone.")  # noqa: B023
                return process
            os.kill(process, signal.SIGCONT)
        raise AssertionError("None had a form in hand.")

    def stop_web(self, name: str = "web1") -> None:
        """Stop a web server in good order; returns when it is gone."""
        process = self._processes[name]
        process.terminate()
        process.wait(PATIENCE_SECONDS)

    def answered_forms(self, name: str) -> int:
        """How many forms this web server has answered."""
        return self.log(name).read_text().count(" method=POST ")

    def has_answered_more(self, name: str, forms: int) -> bool:
        return self.answered_forms(name) > forms


class Sent(NamedTuple):
    """A form that was sent, with the status of its response."""

    status: int
    during: bool  # whether a process was ended between request and response


class Clients:
    """Clients that send moves through a proxy, each form until it is confirmed."""

    def __init__(self, service: Stack, proxy: Proxy) -> None:
        output = service.shell(PREPARE).splitlines()[-1]
        self._matches, self._cookies, self._keys = json.loads(output)
        self.proxy = proxy
        self._lock = threading.Lock()
        self._endings = 0  # two for each process that was ended, one for each that is being ended
        self._numbers = itertools.count()
        self._under_way: dict[int, int] = {}  # by client: the number of the latest try
        self._are_held_back = self._are_leaving = self._have_failed = False
        self.sent: list[Sent] = []
        self.acknowledged: Counter[int] = Counter()  # moves, by match

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Within the block a web server process is killed, and only then forms may fail."""
        with self._lock:
            self._endings += 1
        yield
        with self._lock:
            self._endings += 1

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Within the block no form is being sent; afterwards all clients send one at once."""
        self._are_held_back = True
        try:
            self._wait_for(lambda: not self._under_way, "All forms should be acknowledged.")
            yield
        finally:
            self._are_held_back = False

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Within the block they play; afterwards every sent move is confirmed."""
        with ThreadPoolExecutor(CLIENTS) as people:
            playing = [people.submit(self._play, number) for number in range(CLIENTS)]
            try:
                self.go_on()
                yield
                self.go_on()
            except BaseException:
                self._have_failed = True
                raise
            finally:
                self._are_leaving = True
                for one in playing:
                    one.result()

    def _play(self, client: int) -> None:
        try:
            own_places = range(client, len(self._matches), CLIENTS)
            for place, ply in itertools.product(own_places, range(LENGTH)):
                while not self._may_send(client):
                    time.sleep(PAUSE_SECONDS)
                while not self._send(client, place, ply):
                    if self._have_failed:
                        return
                    time.sleep(PAUSE_SECONDS)
                time.sleep(PAUSE_SECONDS)
                if self._are_leaving:
                    return
            raise AssertionError("They should play until the end.")
        except BaseException:
            self._have_failed = True
            raise

    def _may_send(self, client: int) -> bool:
        """Whether this client sends its next form now."""
        with self._lock:
            if not self._are_held_back:
                self._under_way[client] = next(self._numbers)
            return client in self._under_way

    def _send(self, client: int, place: int, ply: int) -> bool:
        """Send a move; whether it was confirmed. Any status other than 302 and 502 is an error."""
        match = self._matches[place]
        form = {
            "move": MOVES[ply % 4],
            "ply": 2 + ply,
            "idempotency_key": self._keys[place][ply],
            "csrfmiddlewaretoken": "c" * 32,
        }
        headers = {
            "Cookie": f"sessionid={self._cookies[ply % 2]}; csrftoken={'c' * 32}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        # Each client has its own address, since nginx limits requests per address.
        source = (f"127.0.1.{client + 1}", 0)
        with self._lock:
            before = self._endings
            self._under_way[client] = next(self._numbers)
        line = HTTPConnection("127.0.0.1", self.proxy.port, PATIENCE_SECONDS, source)
        with closing(line):
            line.request("POST", f"/match/{match}/move/", urlencode(form), headers)
            answer = line.getresponse()
            answer.read()
        with self._lock:
            during = before != self._endings or before % 2 == 1
            self.sent.append(Sent(answer.status, during))
            assert answer.status in (302, 502 if during else 302), self.sent[-1]
            if answer.status == 302:
                self.acknowledged[match] += 1
                del self._under_way[client]
        return answer.status == 302

    def go_on(self, moves: int = 3 * CLIENTS) -> None:
        """Wait until this many more moves are confirmed."""
        wanted = self.acknowledged.total() + moves
        self._wait_for(lambda: self.acknowledged.total() >= wanted, "Moves should go on.")

    def all_send(self) -> None:
        """Wait until each client waits for a response."""
        self._wait_for(lambda: len(self._under_way) == CLIENTS, "All should send a form.")

    def one_is_stuck(self) -> bool:
        """Whether a client waits longer for a response than a move takes."""
        before = set(self._under_way.values())
        time.sleep(0.4)
        return not before.isdisjoint(self._under_way.values())

    def _wait_for(self, condition: Callable[[], bool], what: str) -> None:
        wait_for(lambda: self._have_failed or condition(), what, 120)
        assert not self._have_failed


@pytest.fixture(scope="module")
def service() -> Iterator[TwoProcesses]:
    extra = {"TRUSTED_PROXY_COUNT": "1", "PROXY_STAMPS_ARRIVAL": "true"}
    service = TwoProcesses(web=2, processes=2, workers=0, beat=0, extra=extra)
    with service:
        yield service


@pytest.fixture(scope="module")
def proxies(service: Stack) -> Iterator[dict[str, Proxy]]:
    """Both; they listen before clients' connections take ports of this machine."""
    with ExitStack() as running:
        proxies = {}
        for program in ("nginx", "caddy"):
            proxies[program] = Proxy(program, urlsplit(service.url()).port or 0)
            running.callback(proxies[program].stop)
            proxies[program].start()
        yield proxies


@pytest.fixture(params=["nginx", "caddy"])
def clients(request: pytest.FixtureRequest, service: Stack, proxies: dict[str, Proxy]) -> Clients:
    return Clients(service, proxies[request.param])


def stored_moves(clients: Clients) -> "QuerySet[Ply]":
    """The moves of their matches."""
    return Ply.objects.filter(kind=PlyKind.MOVE, match__in=list(clients.acknowledged))


def check(service: Stack, clients: Clients) -> None:
    """The database has each confirmed move once, and no other."""
    counted = stored_moves(clients).values_list("match").annotate(count=Count("number"))
    assert dict(service.ask(counted)) == clients.acknowledged


@pytest.mark.soak
def test_a_killed_web_server_process_fails_only_the_forms_that_it_was_answering(
    service: TwoProcesses, clients: Clients
) -> None:
    processes = service.both()
    with clients.playing():
        with clients.ending():
            first = service.kill_one(processes, clients.one_is_stuck)
        clients.go_on()
        with clients.held_back():
            service.both()
            # As on a busy machine: the proxy notices the end together with the next forms.
            clients.proxy.signal(signal.SIGSTOP)
            with clients.ending():
                service.kill_one(processes - {first}, lambda: True)
        try:
            clients.all_send()
        finally:
            clients.proxy.signal(signal.SIGCONT)
        clients.go_on()
    check(service, clients)
    # No form was being sent at the second kill.
    assert Counter(sent.status for sent in clients.sent)[502] <= CLIENTS


@pytest.mark.parametrize("clients", ["caddy"], indirect=True)
def test_caddy_holds_forms_that_arrive_during_a_restart(
    service: TwoProcesses, clients: Clients
) -> None:
    with clients.playing():
        for _ in range(STOPS):
            # A plain stop fails no form: no `ending`.
            service.stop_web()
            service.start("web1")
            clients.go_on()
        with clients.held_back():
            service.stop_web()
        clients.all_send()
        time.sleep(1)  # in which the proxy has tried again
        arrived, restarted_at = clients.acknowledged.total() + CLIENTS, now()
        service.start("web1")
        clients.go_on()
    check(service, clients)
    # They count from their arrival at the proxy.
    before = stored_moves(clients).filter(at__lt=restarted_at).values_list("match", "number")
    assert len(service.ask(before)) == arrived


@pytest.mark.soak
@pytest.mark.parametrize("clients", ["nginx"], indirect=True)
def test_nginx_refuses_forms_during_a_restart_and_accepts_them_right_after(
    service: TwoProcesses, clients: Clients
) -> None:
    with clients.playing():
        with clients.ending():
            service.stop_web()
            service.start("web1")
            service.wait_until_up("web1")
        clients.go_on()
    check(service, clients)


def test_nginx_fails_no_form_while_its_web_servers_are_restarted_in_turn(
    service: TwoProcesses,
) -> None:
    ports = [urlsplit(service.url(name)).port or 0 for name in ("web1", "web2")]
    proxy = Proxy("nginx", ports[0])
    # So that it asks a web server again one second after it could not reach it, and not ten.
    proxy.ask_instead([f"127.0.0.1:{port} fail_timeout=1s" for port in ports])
    clients = Clients(service, proxy)
    try:
        proxy.start()
        with clients.playing():
            for name in ("web1", "web2"):
                service.stop_web(name)
                clients.go_on()
                seen = service.answered_forms(name)
                service.start(name)
                is_asked = partial(service.has_answered_more, name, seen)
                wait_for(is_asked, "nginx should ask it again.")
    finally:
        proxy.stop()
    check(service, clients)


@pytest.mark.parametrize("program", ["nginx", "caddy"])
def test_a_form_that_has_reached_the_web_server_is_sent_once(program: str) -> None:
    received = []

    class Dies(socketserver.BaseRequestHandler):
        """A web server that crashes at each request."""

        def handle(self) -> None:
            received.append(self.request.recv(4096))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Dies) as server:
        serve(server)
        proxy = Proxy(program, server.server_address[1])
        try:
            proxy.start()
            line = HTTPConnection("127.0.0.1", proxy.port, PATIENCE_SECONDS)
            with closing(line):
                line.request("POST", "/", "move=a4-a5")
                assert line.getresponse().status == 502
        finally:
            proxy.stop()
            server.shutdown()
    assert len(received) == 1
