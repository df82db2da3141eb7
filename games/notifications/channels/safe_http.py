"""HTTPS client guarded against SSRF, for URLs that users have entered.

It calls https on port 443 of public addresses only. A name is resolved once, and the connection
goes to the address that was checked, so that DNS rebinding has no effect. It follows no redirects,
and limits time and bytes.
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
CALL_SECONDS = 8.0  # for a whole call, with the name resolution
MAX_ANSWER_BYTES = 4096
MAX_URL_CHARACTERS = 500

# Sentences for the owner of an address that fails.
BUSY = gettext_noop("The address returned an error (%(status)s).")
SILENT = gettext_noop("There was no answer in time.")
CLOSED = gettext_noop("The address is in a private network, which is not allowed.")
UNKNOWN = gettext_noop("This host does not exist. Copy the whole address again.")

# Answers of a service that is busy or down (RFC 9110), besides those from 500 up.
BUSY_STATUS = (408, 425, 429)

# In addition to what Python regards as not global: relays, translations and tunnels.
CLOSED_4 = tuple(map(ip_network, ("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24",
                                  "192.88.99.0/24", "198.18.0.0/15", "224.0.0.0/3")))  # fmt: skip
# The allocated public range of IPv6, and the parts of it for IPv4 translation or for examples.
PUBLIC_6 = IPv6Network("2000::/3")
CLOSED_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))


class NotAllowed(Exception):  # noqa: N818 -- a refusal, not a fault.
    """Raised for a URL that may not be called; the message is a sentence for its owner."""


@dataclass(frozen=True)
class Response:
    status: int
    body: bytes
    retry_after: str = ""  # the header as it was sent

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_busy(self) -> bool:
        """Whether the service is busy or down, so that a later attempt may succeed."""
        return self.status in BUSY_STATUS or self.status >= 500


@dataclass(frozen=True)
class ResolvedAddress:
    """A URL after name resolution."""

    host: str  # the name for the certificate
    ip: str
    port: int
    target: str  # path and query


def check(url: str) -> None:
    """Raises NotAllowed, with a sentence, if `url` may not be called.

    It resolves no name, since a slow name server would delay the page; `post` checks the resolved
    address.
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
    """Resolve `url`. Raises NotAllowed if it may not be called, OSError if it has no address."""
    parts, port, trusted = _split(url)
    host = parts.hostname or ""
    entries = _resolve(host, port)
    _insist_on_public(entries, trusted)
    path = parts.path or "/"
    target = f"{path}?{parts.query}" if parts.query else path
    return ResolvedAddress(host, str(entries[0][4][0]), port, target)


def _insist_on_public(entries: list[Any], trusted: bool) -> None:
    # One private address is enough to refuse: the owner of the name controls their order.
    if not trusted and not all(is_public(str(entry[4][0])) for entry in entries):
        raise NotAllowed(_(CLOSED))


def is_public(address: str) -> bool:
    """Whether an IP address, given as text, is public."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        return ip in PUBLIC_6 and not any(ip in net for net in CLOSED_6) and ip.is_global
    return ip.is_global and not any(ip in net for net in CLOSED_4)


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Response:
    """POST `body` to `url`. Raises NotAllowed, or OSError if there is no valid response in time."""
    until = time.monotonic() + CALL_SECONDS
    try:
        place = locate(url)
    except UnicodeError:
        raise OSError("no such host") from None
    connection = _Connection(place, until)
    timer = threading.Timer(until - time.monotonic(), connection.cut)
    timer.daemon = True
    timer.start()
    try:
        connection.request("POST", place.target, body, {**headers, "Connection": "close"})
        response: HTTPResponse = connection.getresponse()
        retry_after = response.getheader("Retry-After", "")
        return Response(response.status, response.read(MAX_ANSWER_BYTES), retry_after)
    except HTTPException as error:
        # Its message quotes the remote server.
        raise ConnectionError(type(error).__name__) from None
    finally:
        timer.cancel()
        connection.close()


class _Connection(HTTPConnection):
    """A connection to the address that was checked, and to no other."""

    def __init__(self, place: ResolvedAddress, until: float) -> None:
        super().__init__(place.host, place.port, timeout=TIMEOUT_SECONDS)
        self.place = place
        self.until = until
        self.over = False
        self.default_port = PORT  # so that the Host header omits this port

    def connect(self) -> None:
        left = min(TIMEOUT_SECONDS, self.until - time.monotonic())
        if left <= 0:
            raise TimeoutError
        raw = socket.create_connection((self.place.ip, self.place.port), left)
        raw.settimeout(TIMEOUT_SECONDS)
        context = ssl.create_default_context(cafile=settings.SAFE_HTTP_AUTHORITY)
        try:
            tls = context.wrap_socket(
                raw, server_hostname=self.place.host, do_handshake_on_connect=False
            )
        except BaseException:
            raw.close()
            raise
        # Set before the handshake, so that `cut` can end a slow one too.
        self.sock = tls
        if self.over:
            raise TimeoutError
        tls.do_handshake()

    def cut(self) -> None:
        """End the call, since a server that sends a byte a second never runs into a timeout."""
        self.over = True
        tls: socket.socket | None = self.sock
        if tls is not None:
            try:
                # Not SSLSocket.shutdown, which drops the TLS state that the other thread uses.
                socket.socket.shutdown(tls, socket.SHUT_RDWR)
            except OSError:
                tls.close()


def _resolve(host: str, port: int) -> list[Any]:
    """The result of getaddrinfo, in a thread since it has no timeout; raises OSError."""
    answers: SimpleQueue[list[Any] | Exception] = SimpleQueue()

    def resolve() -> None:
        try:
            answers.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except Exception as error:
            answers.put(error)

    threading.Thread(target=resolve, name="look-up", daemon=True).start()
    try:
        answer = answers.get(timeout=TIMEOUT_SECONDS)
    except Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _split(url: str) -> tuple[SplitResult, int, bool]:
    """The parts of a URL, its port, and whether tests trust it; raises NotAllowed."""
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
