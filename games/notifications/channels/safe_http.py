"""HTTPS client guarded against SSRF, for addresses that users have typed in.

It opens to https on port 443 of public addresses alone. A name is looked up once, and the line goes
to the very address that was looked at, so that it cannot turn into another one in between. It goes
nowhere else on the far side's word, waits little and reads little.
"""

import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

PORT = 443
TIMEOUT_SECONDS = 5.0  # for each step of a call
CALL_SECONDS = 8.0  # for all of it, the looking up of its name included
MAX_ANSWER_BYTES = 4096
MAX_URL_CHARACTERS = 500

# What its owner is told of a way that is only out of order for now.
BUSY = gettext_noop("The address returned an error (%(status)s). It will be tried again.")
SILENT = gettext_noop("There was no answer in time. It will be tried again.")
UNKNOWN = gettext_noop("This host does not exist. Copy the whole address again.")

# Beside what Python's own table keeps back: relays, translations and tunnels into other networks.
CLOSED = tuple(map(ip_network, ("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24",
                                "198.18.0.0/15", "224.0.0.0/3")))  # fmt: skip
# All that IPv6 has given out to the public, and what of it leads back to IPv4 or to examples.
PUBLIC_6 = IPv6Network("2000::/3")
CLOSED_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))


class NotAllowed(Exception):  # noqa: N818 -- a refusal, not a fault.
    """An address that is not called; the message is a sentence for whoever typed it."""


@dataclass(frozen=True)
class Response:
    status: int
    body: bytes


@dataclass(frozen=True)
class ResolvedAddress:
    """An address after one look at it: the host's name for its certificate, and where it lies."""

    host: str
    ip: str
    port: int
    target: str  # path and query


def check(url: str) -> None:
    """Raises NotAllowed, with a sentence, where the look of `url` alone says that we do not go.

    No name is looked up: whoever runs the name server could let a page wait for it. A worker does
    that, with each call.
    """
    parts, port, trusted = _split(url)
    host = parts.hostname or ""
    try:
        numeric = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST
        )
    except (OSError, UnicodeError):
        if "." not in host.strip("."):
            raise NotAllowed(_(UNKNOWN)) from None
    else:
        _insist_on_public(numeric, trusted)


def locate(url: str) -> ResolvedAddress:
    """Where `url` leads; raises NotAllowed where we do not go, OSError if nobody knows it."""
    parts, port, trusted = _split(url)
    host = parts.hostname or ""
    found = _look_up(host, port)
    _insist_on_public(found, trusted)
    path = parts.path or "/"
    target = f"{path}?{parts.query}" if parts.query else path
    return ResolvedAddress(host, str(found[0][4][0]), port, target)


def _insist_on_public(found: list[Any], trusted: bool) -> None:
    # One inner address among them is enough: which of them would be taken, the far side decides.
    if not trusted and not all(is_public(str(entry[4][0])) for entry in found):
        raise NotAllowed(_("The address is in a private network, which is not allowed."))


def is_public(address: str) -> bool:
    """Whether an IP address, as text, belongs to the public network."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        return ip in PUBLIC_6 and not any(ip in net for net in CLOSED_6) and ip.is_global
    return ip.is_global and not any(ip in net for net in CLOSED)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Response:
    """What the far side answers to `body`. Raises NotAllowed, and OSError if nobody answers."""
    until = time.monotonic() + CALL_SECONDS
    try:
        place = locate(url)
    except UnicodeError:
        raise OSError("no such host") from None
    line = _Line(place, until)
    guard = threading.Timer(until - time.monotonic(), line.cut)
    guard.daemon = True
    guard.start()
    try:
        line.request("POST", place.target, body, {**headers, "Connection": "close"})
        response: HTTPResponse = line.getresponse()
        return Response(response.status, response.read(MAX_ANSWER_BYTES))
    except HTTPException as error:
        # Its words are the far side's.
        raise ConnectionError(type(error).__name__) from None
    finally:
        guard.cancel()
        line.close()


class _Line(HTTPConnection):
    """A line to the address that was looked at, and to no other."""

    def __init__(self, place: ResolvedAddress, until: float) -> None:
        super().__init__(place.host, place.port, timeout=TIMEOUT_SECONDS)
        self.place = place
        self.until = until
        self.over = False
        self.default_port = PORT  # so that the Host header names no port without need

    def connect(self) -> None:
        left = min(TIMEOUT_SECONDS, self.until - time.monotonic())
        if left <= 0:
            raise TimeoutError
        raw = socket.create_connection((self.place.ip, self.place.port), left)
        raw.settimeout(TIMEOUT_SECONDS)
        context = ssl.create_default_context(cafile=settings.SAFE_HTTP_AUTHORITY)
        try:
            line = context.wrap_socket(
                raw, server_hostname=self.place.host, do_handshake_on_connect=False
            )
        except BaseException:
            raw.close()
            raise
        # A handshake may be drawn out as well as an answer, so it has to be known to `cut`.
        self.sock = line
        if self.over:
            raise TimeoutError
        line.do_handshake()

    def cut(self) -> None:
        """End the call: whoever sends a byte a second would otherwise keep us for ever."""
        self.over = True
        line: socket.socket | None = self.sock
        if line is not None:
            try:
                # Not TLS's own shutdown, which takes its state away from whoever waits in it.
                socket.socket.shutdown(line, socket.SHUT_RDWR)
            except OSError:
                line.close()


def _look_up(host: str, port: int) -> list[Any]:
    """What getaddrinfo says, if it says so within a step; nothing ends it that has begun."""
    answers: SimpleQueue[list[Any] | Exception] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as error:
            answers.put(error)

    threading.Thread(target=ask, name="look-up", daemon=True).start()
    try:
        answer = answers.get(timeout=TIMEOUT_SECONDS)
    except Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _split(url: str) -> tuple[SplitResult, int, bool]:
    """An address of a form that we call, its port, and whether a test trusts it."""
    wrong = NotAllowed(
        _("This is not a valid address. It must start with https:// and contain a host name.")
    )
    plain = url.isascii() and url.isprintable() and " " not in url and "\\" not in url
    if len(url) > MAX_URL_CHARACTERS or not plain:
        raise wrong
    try:
        parts = urlsplit(url)
        port = PORT if parts.port is None else parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme != "https":
        raise NotAllowed(_("The address must start with https://."))
    if not parts.hostname or parts.fragment:
        raise wrong
    if parts.username is not None or parts.password is not None:
        raise NotAllowed(_("The address must not contain a username or a password."))
    trusted = (parts.hostname, port) in settings.SAFE_HTTP_TRUSTED
    if port != PORT and not trusted:
        raise NotAllowed(
            _("The address must not contain a port; only the usual port of https is used.")
        )
    return parts, port, trusted
