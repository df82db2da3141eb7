"""nginx and Caddy with https: half-sent requests, redirects to other hosts, and their logs."""

import signal
import socket
import ssl
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import pytest

from tests import tiers
from tests.proxies import HOST, Proxy
from tests.stack import Stack

pytestmark = pytest.mark.servers

CONNECTIONS = 800  # of one address: all of Debian's 768 and more
BEGUN = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: ".encode()
SECRET = "Zq3Zq3Zq3Zq3Zq3Zq3Zq3Zq3"
ASK = "from games.play.commands import health; print(health.ask_servers().name)"


class Site:
    """The service behind a proxy with https, and readers who come from several addresses."""

    def __init__(self, program: str, running: ExitStack) -> None:
        extra = {
            "SITE_URL": f"https://{HOST}",
            "TRUSTED_PROXY_COUNT": "1",
            "SSL_REDIRECT": "false",
        }
        self.service = Stack(web=1, workers=0, beat=0, extra=extra)
        self.proxy = Proxy(program, urlsplit(self.service.url()).port or 0, tls=True)
        running.callback(self.proxy.stop)
        self.proxy.start()
        running.enter_context(self.service)
        self.service.environment |= {
            "WEB_URL": self.service.url(),
            "PROXY_URL": f"https://127.0.0.1:{self.proxy.port}",
            "SSL_CERT_FILE": str(self.proxy.authority),
        }
        self._context = ssl.create_default_context(cafile=str(self.proxy.authority))

    def connect(self, address: str) -> ssl.SSLSocket:
        place = ("127.0.0.1", self.proxy.port)
        plain = socket.create_connection(place, timeout=30, source_address=(address, 0))
        return self._context.wrap_socket(plain, server_hostname=HOST)

    def status(self, path: str, address: str = "127.0.0.2") -> int:
        """The status of a page, asked for from a page with a secret address."""
        with closing(HTTPConnection(HOST)) as line:
            line.sock = self.connect(address)
            headers = {"Referer": f"https://{HOST}/lobby/link/{SECRET}/", "X-Custom": SECRET}
            line.request("GET", path, headers=headers)
            return line.getresponse().status

    def probe(self) -> str:
        """What a worker finds."""
        return self.service.shell(ASK).splitlines()[-1]


@pytest.fixture(scope="module", params=tiers.parameters(("nginx", "caddy"), fast=("nginx",)))
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    with ExitStack() as running:
        yield Site(request.param, running)


@pytest.mark.soak
def test_half_sent_requests_of_one_address_block_no_other_address(site: Site) -> None:
    with ExitStack() as held:
        for _ in range(CONNECTIONS):
            held.enter_context(site.connect("127.0.0.1")).sendall(BEGUN)
        assert [site.status("/") for _ in range(3)] == [200] * 3
        assert site.probe() == "READY"


def test_a_proxy_that_blocks_everybody_is_reported(site: Site) -> None:
    assert site.probe() == "READY"
    # The web server behind it is ready, but no move can be taken.
    site.proxy.signal(signal.SIGSTOP)
    try:
        assert site.probe() == "SLOW"
    finally:
        site.proxy.signal(signal.SIGCONT)


@pytest.mark.parametrize("host", [HOST, "evil.example", "evil.example:80", HOST + ".evil.example"])
def test_plain_http_redirects_to_no_other_site(site: Site, host: str) -> None:
    with closing(HTTPConnection("127.0.0.1", site.proxy.http_port, timeout=10)) as line:
        line.request("GET", "/lobby/?a=b", headers={"Host": host})
        target = None
        # Caddy closes the connection to what is not its site.
        with suppress(HTTPException, ConnectionError):
            target = line.getresponse().headers["Location"]
    expected = f"https://{HOST}/lobby/?a=b"
    assert target == expected or (host != HOST and target is None)


def test_what_the_proxy_answers_itself_has_the_headers_of_protection(site: Site) -> None:
    answered = {}
    for path, length in (("/", 0), ("/health/live", 0), ("/", 9_000_000)):
        with closing(HTTPConnection(HOST)) as line:
            line.sock = site.connect("127.0.0.3")
            line.putrequest("POST" if length else "GET", path)
            line.putheader("Content-Length", str(length))
            line.endheaders()
            answer = line.getresponse()
            answered[path, answer.status] = answer.headers
    assert {status for _path, status in answered} == {200, 204, 413}
    for headers in answered.values():
        for name in ("Strict-Transport-Security", "Content-Security-Policy"):
            assert len(headers.get_all(name, [])) == 1, headers
        assert headers.get_all("X-Content-Type-Options") == ["nosniff"]


def test_only_current_versions_of_tls_are_accepted(site: Site) -> None:
    with site.connect("127.0.0.1") as newest:
        assert newest.version() == "TLSv1.3"
    old = ssl.create_default_context(cafile=str(site.proxy.authority))
    old.set_ciphers("DEFAULT@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    plain = socket.create_connection(("127.0.0.1", site.proxy.port), timeout=30)
    with plain, pytest.raises(ssl.SSLError):
        old.wrap_socket(plain, server_hostname=HOST)


def test_its_logs_contain_no_secret_address(site: Site) -> None:
    paths = [
        f"/lobby/link/{SECRET}/",
        f"/lobby//link/{SECRET}/",
        f"/lobby/%6cink/{SECRET}/",
        f"/archive/shared/{SECRET}/text/",
        f"/feeds/{SECRET}/waiting.atom",
        f"/people/unsubscribe/{SECRET}/",
        f"/account/login/?next=/lobby/link/{SECRET}/",
        f"/{SECRET}/",
        f"/{SECRET}",
        f"/?{SECRET}",
    ]
    for path in paths:
        assert site.status(path) < 500
    with closing(HTTPConnection("127.0.0.1", site.proxy.http_port, timeout=10)) as line:
        line.request("GET", paths[0], headers={"Host": HOST})
        line.getresponse()
    # Nor what failed: one process of the web server hangs up, then nothing listens.
    site.service.kill("web1")
    try:
        assert site.status(paths[0]) == 502
        with closing(HTTPConnection(HOST)) as line:
            line.sock = site.connect("127.0.0.3")
            line.request("GET", "/")
            assert "max-age=31536000" in line.getresponse().headers["Strict-Transport-Security"]
    finally:
        site.service.start("web1")
        site.service.wait_until_up("web1")
    logs = site.proxy.logs()
    assert "/lobby/..." in logs and "502" in logs
    assert SECRET not in logs
