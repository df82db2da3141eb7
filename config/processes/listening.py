"""Listening sockets of the web server, and the address by which this machine reaches them."""

import socket
from pathlib import Path

from django.core.management.base import CommandError


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; the children inherit it, and it outlives any of them."""
    if not 0 < port < 2**16:
        raise CommandError(f"There is no port {port}: ports have the numbers 1 to 65535.")
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise CommandError(
            f"Port {port} of {host} is not to be had: {error.strerror}. "
            f"Another one can be named: --port {port + 1}"
        ) from None
    return listener


def listen_at(path: Path) -> socket.socket:
    """A listening Unix socket, which the proxy's group may use."""
    listener = socket.socket(socket.AF_UNIX)
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        path.chmod(0o660)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise CommandError(f"{path} is not to be had: {error.strerror}.") from None
    return listener


def near(host: str) -> str:
    """The host, for a URL, by which this machine reaches a server that listens at `host`."""
    # Where it listens everywhere, it answers itself too.
    itself = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"[{itself}]" if ":" in itself else itself
