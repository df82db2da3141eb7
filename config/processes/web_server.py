"""Web server: Waitress, which receives a whole request before a thread answers it.

A client that sends slowly, or stops half-way, holds a connection for a limited time and never a
thread, so slow clients cannot block others. Each request carries the instant at which its last byte
arrived (`ARRIVED_AT`), however long it then waits for a thread.
"""

import io
import logging
import re
import select
import signal
import socket
import time
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer, UnixWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask
from waitress.utilities import RequestEntityTooLarge

ARRIVED_AT = "estafette.arrived_at"  # in a request's WSGI environment: seconds since 1970

THREADS = 4
REQUEST_SECONDS = 30  # from the first byte of a request to its last
IDLE_SECONDS = 60  # without a byte, between requests or while a response is sent
CLEANUP_SECONDS = 5  # between two checks of these limits
STOP_SECONDS = 10  # to finish open requests when the server stops
LINGER_SECONDS = 1.0  # for a request on a connection that is open when the server stops
CONNECTIONS = 900  # below the usual limit of 1,024 open files
CONNECTIONS_AN_ADDRESS = 100
MAX_HEADER_BYTES = 32 * 1024
MAX_BODY_BYTES = 2 * 1024 * 1024

MAX_LEADING_BLANKS = 16
FOLDED = re.compile(rb"\r\n[ \t]")
LEADING_BLANKS = re.compile(rb":[ \t]{%d}" % (MAX_LEADING_BLANKS + 1))


class Request(HTTPRequestParser):
    """A request that records the instants of its first and last byte.

    One with too large a body is passed on without it. From the length that it declares, or that
    has arrived, the application sees that it is too large, and says so in a page or in JSON.
    """

    error: Any = None
    is_too_large = False

    def __init__(self, adj: Adjustments) -> None:
        super().__init__(adj)
        self.began_at = time.time()
        self.arrived_at = self.began_at

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if isinstance(self.error, RequestEntityTooLarge):
            self.error = None
            self.is_too_large = True
            self.expect_continue = False  # the client need not send the body
            self.headers["CONTENT_LENGTH"] = str(max(self.content_length, self.body_bytes_received))
        if self.completed:
            self.arrived_at = time.time()
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the headers; raises ParsingError, also for headers that Waitress parses slowly.

        Its pattern takes quadratic time for blanks before a value, which folded lines could add up
        to. It raises ValueError for a length of thousands of digits.
        """
        if FOLDED.search(header_plus):
            raise ParsingError("A header is folded over several lines, which is obsolete")
        if LEADING_BLANKS.search(header_plus):
            raise ParsingError(f"More than {MAX_LEADING_BLANKS} blanks before a value")
        try:
            super().parse_header(header_plus)
        except ValueError as error:
            raise ParsingError("Content-Length is invalid") from error


class UnreadBody(io.BytesIO):
    """Stands for a body that was too large to receive; it cannot be read."""

    def read(self, *_: Any) -> bytes:
        raise OSError("The body is too large and was not received.")

    readline = read


class Task(WSGITask):
    """Adds the request's time of arrival to its WSGI environment."""

    def get_environment(self) -> dict[str, Any]:
        environment: dict[str, Any] = super().get_environment()
        environment[ARRIVED_AT] = self.request.arrived_at
        if self.request.is_too_large:
            environment["wsgi.input"] = UnreadBody()
        return environment

    def set_close_on_finish(self) -> None:
        """Close the connection after the response, but not because it has no content.

        Waitress would close it after each 304, so a program that polls would connect every time.
        """
        wants_close = self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or wants_close or self.version != "1.1":
            super().set_close_on_finish()

    def build_response_header(self) -> bytes:
        if self.channel.server.is_stopping or self.request.is_too_large:
            # The proxy must not keep this connection for its next request. What comes after too
            # large a body would be read as one.
            self.request.headers["CONNECTION"] = "close"
        header: bytes = super().build_response_header()
        return header


class Channel(HTTPChannel):
    """One connection."""

    parser_class = Request
    task_class = Task

    def __init__(self, server: Any, *arguments: Any, **named: Any) -> None:
        super().__init__(server, *arguments, **named)
        if server.has_too_many(self.addr[0]):
            self.will_close = True


class _Server:
    """Base of the TCP and the Unix server: limits of time and connections, and the stop."""

    channel_class = Channel
    active_channels: dict[int, Channel]
    limits_addresses = True
    is_stopping = False

    def maintenance(self, now: float) -> None:
        """Close connections that were idle, or have been sending a request, for too long."""
        super().maintenance(now)  # type: ignore[misc]
        for channel in self.active_channels.values():
            request = channel.request
            if request is not None and now - request.began_at > REQUEST_SECONDS:
                channel.will_close = True

    def has_too_many(self, address: str) -> bool:
        """Whether this address holds more than CONNECTIONS_AN_ADDRESS connections."""
        if not self.limits_addresses:
            return False
        held = [c for c in self.active_channels.values() if c.addr[0] == address]
        return len(held) > CONNECTIONS_AN_ADDRESS

    def stop_listening(self) -> None:
        """Accept the connections that are waiting, and refuse all later ones.

        Closing alone would reset those that are waiting, which the proxy may have sent a form.
        """
        self.is_stopping = True
        waiting = select.poll()
        waiting.register(self.socket, select.POLLIN)  # type: ignore[attr-defined]
        while len(self.active_channels) < CONNECTIONS and waiting.poll(0):
            self.handle_accept()  # type: ignore[attr-defined]
        wasyncore.dispatcher.close(self)

    def close_idle(self) -> None:
        """Close the connections on which no request is being received or answered."""
        for channel in list(self.active_channels.values()):
            if not _is_busy(channel):
                channel.handle_close()


def _is_busy(channel: Channel) -> bool:
    """Whether a request is being received or answered."""
    return bool(channel.requests or channel.total_outbufs_len or channel.request)


class TcpServer(_Server, TcpWSGIServer):
    pass


class UnixServer(_Server, UnixWSGIServer):
    limits_addresses = False  # all connections come from the proxy


def serve(
    application: Any, listener: socket.socket, *, threads: int = THREADS, behind_proxy: bool = False
) -> None:
    """Serve a listening socket until SIGTERM or SIGINT, then finish the open requests.

    `behind_proxy`: all connections come from one address, so they are not limited by address.
    """
    # It would log every moment at which all threads are busy.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    settings = Adjustments(
        sockets=[listener],
        threads=threads,
        connection_limit=CONNECTIONS,
        cleanup_interval=CLEANUP_SECONDS,
        channel_timeout=IDLE_SECONDS,
        max_request_header_size=MAX_HEADER_BYTES,
        max_request_body_size=MAX_BODY_BYTES,
        # Django and allauth read these headers, and know how many proxies to trust.
        clear_untrusted_proxy_headers=False,
        asyncore_use_poll=True,
        ident=None,
    )
    is_unix = listener.family == getattr(socket, "AF_UNIX", None)
    connections: dict[int, Any] = {}
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(threads)
    server = (UnixServer if is_unix else TcpServer)(
        application,
        connections,
        _sock=listener,
        dispatcher=dispatcher,
        adj=settings,
        sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
        bind_socket=False,
    )
    server.limits_addresses = not (is_unix or behind_proxy)
    _run(server, connections)
    dispatcher.shutdown(timeout=1)


def _run(server: Any, connections: dict[int, Any]) -> None:
    stopping = False

    def stop(*_: Any) -> None:
        nonlocal stopping
        stopping = True
        server.pull_trigger()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)

    def turn(seconds: float) -> None:
        wasyncore.loop(timeout=seconds, use_poll=True, map=connections, count=1)

    while not stopping:
        turn(1)
    server.stop_listening()
    stopped_at = time.monotonic()
    while server.active_channels and time.monotonic() < stopped_at + STOP_SECONDS:
        turn(0.1)
        if time.monotonic() >= stopped_at + LINGER_SECONDS:
            # After a turn that found nothing to read, so that a request is hardly ever lost.
            turn(0)
            server.close_idle()
