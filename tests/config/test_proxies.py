"""The service behind nginx and Caddy, with the configurations of deploy/."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

import pytest

from tests import tiers
from tests.play.match_helpers import SETUPS
from tests.proxies import Proxy
from tests.stack import Stack

pytestmark = pytest.mark.servers

SOUTH, NORTH = SETUPS["lattaque-10x10"]
# Alice's grace period ends in two seconds.
PREPARE = f"""
import json
from datetime import timedelta
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from accounts.models import User
from lib.db_clock import now
from games.play import time_controls
from games.play.commands import moves
from games.play.commands.matches import open_match
from games.play.models.match import Player
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat

people = [User.objects.filter(username=name).first() or User.objects.create_confirmed(
    name, name + "@example.org") for name in ("Alice", "Bob")]
session = import_module(settings.SESSION_ENGINE).SessionStore()
session[SESSION_KEY] = str(people[0].pk)
session[BACKEND_SESSION_KEY] = "accounts.sign_in.auth_backend.Backend"
session[HASH_SESSION_KEY] = people[0].get_session_auth_hash()
session.save()
match = open_match(Terms("lattaque-en"), dict(zip(Seat, people)))
moves.submit_move(match.pk, people[0], {SOUTH!r}, None)
moves.submit_move(match.pk, people[1], {NORTH!r}, None)
deadline = now() + timedelta(seconds=6) - time_controls.DEADLINE_GRACE
Player.objects.filter(match=match, to_act=True).update(
    since=deadline - timedelta(days=3), deadline=deadline, check_at=deadline + timedelta(days=1))
print(json.dumps([match.pk, session.session_key]))
"""


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    environment = {"TRUSTED_PROXY_COUNT": "1", "PROXY_STAMPS_ARRIVAL": "true"}
    with Stack(web=1, workers=0, beat=0, extra=environment) as service:
        yield service


@pytest.fixture(scope="module", params=tiers.parameters(("nginx", "caddy"), fast=("nginx",)))
def proxy(request: pytest.FixtureRequest, service: Stack) -> Iterator[Proxy]:
    proxy = Proxy(request.param, urlsplit(service.url()).port or 0)
    proxy.start()
    yield proxy
    proxy.stop()


def move(port: int, match: int, key: str, **headers: str) -> str:
    """Send Alice's first move; returns the page's message."""
    cookie = {"Cookie": f"sessionid={key}; csrftoken={'c' * 32}"}
    form = urlencode({"move": "a4-a5", "ply": 2, "csrfmiddlewaretoken": "c" * 32})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("POST", f"/match/{match}/move/", form, {**cookie, **kind, **headers})
        return connection.getresponse().read().decode()


def test_a_move_counts_from_its_arrival_at_the_proxy(service: Stack, proxy: Proxy) -> None:
    """The web server hangs meanwhile, until the match could have been ended."""
    match, key = json.loads(service.shell(PREPARE).splitlines()[-1])
    os.kill(service.pid("web1"), signal.SIGSTOP)
    with ThreadPoolExecutor(1) as others:
        answer = others.submit(move, proxy.port, match, key)
        time.sleep(10)
        os.kill(service.pid("web1"), signal.SIGCONT)
        assert "arrived after the time had run out" not in answer.result()
    with urlopen(f"{proxy.url}match/{match}/", timeout=30) as page:
        assert "a4-a5" in page.read().decode()


def test_only_the_proxy_sets_the_arrival_of_a_move(service: Stack, proxy: Proxy) -> None:
    match, key = json.loads(service.shell(PREPARE).splitlines()[-1])
    time.sleep(8)
    earlier = {"X-Request-Start": f"t={time.time() - 100:.3f}"}
    assert "arrived after the time had run out" in move(proxy.port, match, key, **earlier)


def test_a_hanging_proxy_is_detected_if_web_url_names_it(service: Stack, proxy: Proxy) -> None:
    """No clock counts then, and its open request is played when it continues."""
    ask = f"""
from django.conf import settings
from games.play.commands import health
settings.SITE_URL = {proxy.url!r}
print(health.probe({proxy.url!r}).finding.name)
"""
    later = PREPARE.replace("timedelta(seconds=6)", "timedelta(hours=1)")
    match, key = json.loads(service.shell(later).splitlines()[-1])
    assert service.shell(ask).splitlines()[-1] == "READY"
    proxy.signal(signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(1) as others:
            answer = others.submit(move, proxy.port, match, key)
            assert service.shell(ask).splitlines()[-1] == "SLOW"
            proxy.signal(signal.SIGCONT)
            answer.result()
    finally:
        proxy.signal(signal.SIGCONT)
    with urlopen(f"{proxy.url}match/{match}/", timeout=30) as page:
        assert "a4-a5" in page.read().decode()


def test_eight_slow_clients_block_no_other_client(service: Stack, proxy: Proxy) -> None:
    begun = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\nX-Slow: ".encode()
    lines = [socket.create_connection(("127.0.0.1", proxy.port)) for _ in range(8)]
    for line in lines:
        line.sendall(begun)
    for _ in range(3):
        with urlopen(proxy.url, timeout=10) as page:
            assert page.status == 200
        for line in lines:
            line.sendall(b"x")
    for line in lines:
        line.close()


def test_a_form_that_is_too_large_is_refused_unread_and_the_next_is_accepted(proxy: Proxy) -> None:
    for length, status in (("3000000", 413), ("0", 403)):
        with closing(HTTPConnection("127.0.0.1", proxy.port, timeout=60)) as connection:
            connection.putrequest("POST", "/account/login/")
            connection.putheader("Content-Length", length)
            connection.endheaders()
            assert connection.getresponse().status == status
