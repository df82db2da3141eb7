"""Listening sockets of the web server, TCP or Unix, and the host to reach them locally."""

import socket
from pathlib import Path

from django.core.management.base import CommandError


def listen(host: str, port: int) -> socket.socket:
    """A listening TCP socket, opened in the parent so that it outlives each child."""
    if not 0 < port < 2**16:
        raise CommandError(f"{port} is not a port: ports have the numbers 1 to 65535.")
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise CommandError(
            f"Port {port} of {host} cannot be used: {error.strerror}. "
            f"Name another one: --port {port + 1}"
        ) from None
    return listener


def listen_unix(path: Path) -> socket.socket:
    """A listening Unix socket with mode 660, for the proxy's group."""
    listener = socket.socket(socket.AF_UNIX)
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        path.chmod(0o660)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise CommandError(f"{path} cannot be used: {error.strerror or error}.") from None
    return listener


def url_host(host: str) -> str:
    """The host, as in a URL, to reach a server of this machine that listens at `host`."""
    # A server that listens on all interfaces also listens on the loopback one.
    local = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"[{local}]" if ":" in local else local
