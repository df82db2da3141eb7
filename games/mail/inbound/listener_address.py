"""Listener address: parses MAIL_LISTEN, opens its listening socket, and connects to it."""

import socket
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

SOCKET_MODE = 0o660  # the mail server is in the group of the socket
BACKLOG = 128


class Place(NamedTuple):
    """Where to listen, and in which protocol: a host and a port, or the path of a socket."""

    is_lmtp: bool
    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        scheme = "lmtp" if self.is_lmtp else "smtp"
        return f"{scheme}:{self.path}" if self.path else f"{scheme}://{self.host}:{self.port}"


def read(address: str) -> Place:
    """A place as MAIL_LISTEN names it; the settings have checked its form."""
    scheme, _, rest = address.partition(":")
    if not rest.startswith("//"):
        return Place(scheme == "lmtp", path=rest)
    parts = urlsplit(address)
    return Place(scheme == "lmtp", parts.hostname or "", parts.port or 0)


def listen(place: Place) -> socket.socket:
    """A socket that listens there; raises OSError."""
    if place.path:
        return _listen_at(Path(place.path))
    family, kind, protocol, _name, address = socket.getaddrinfo(
        place.host, place.port, type=socket.SOCK_STREAM
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def connect(place: Place, timeout: float) -> socket.socket:
    """A connection to whoever listens there; raises OSError."""
    if not place.path:
        return socket.create_connection((place.host, place.port), timeout)
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(timeout)
    try:
        connection.connect(place.path)
    except OSError:
        connection.close()
        raise
    return connection


def _listen_at(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    try:
        with suppress(FileNotFoundError):
            path.unlink()
        listener.bind(str(path))
        path.chmod(SOCKET_MODE)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener
