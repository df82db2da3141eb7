"""Parses MAIL_LISTEN, opens its listening socket, and connects to it."""

import socket
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

SOCKET_MODE = 0o660  # the mail server is a member of the socket's group
BACKLOG = 128


class ListenAddress(NamedTuple):
    """Protocol with host and port, or with the path of a Unix socket."""

    is_lmtp: bool
    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        scheme = "lmtp" if self.is_lmtp else "smtp"
        return f"{scheme}:{self.path}" if self.path else f"{scheme}://{self.host}:{self.port}"


def parse(address: str) -> ListenAddress:
    """Parse MAIL_LISTEN, whose syntax the settings have checked."""
    scheme, _, rest = address.partition(":")
    if not rest.startswith("//"):
        return ListenAddress(scheme == "lmtp", path=rest)
    parts = urlsplit(address)
    return ListenAddress(scheme == "lmtp", parts.hostname or "", parts.port or 0)


def listen(address: ListenAddress) -> socket.socket:
    """Open a listening socket; raises OSError."""
    if address.path:
        return _listen_at(Path(address.path))
    family, kind, protocol, _name, socket_address = socket.getaddrinfo(
        address.host, address.port, type=socket.SOCK_STREAM
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(socket_address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def connect(address: ListenAddress, timeout: float) -> socket.socket:
    """Connect to the listener; raises OSError."""
    if not address.path:
        return socket.create_connection((address.host, address.port), timeout)
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(timeout)
    try:
        connection.connect(address.path)
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
