"""Arrival of a request: how long ago the first of our own machines had received all of it.

The web server records when it has a request's last byte (config/processes/web_server.py). A reverse
proxy that delays requests, because the web server restarts or does not answer, records it in the
header X-Request-Start. The header counts only from our own proxies: a player who could set it could
move after their deadline.
"""

import ipaddress
import re
import time
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest

SERVER_STAMP = "estafette.arrived_at"  # seconds since 1970, set by config/processes/web_server.py
PROXY_STAMP = "X-Request-Start"
# Seconds since 1970 as nginx writes them ("t=1700000000.123"), or milliseconds as Caddy does.
STAMP = re.compile(r"(?:t=)?([0-9]{10})(?:\.([0-9]{1,6})|([0-9]{3}))?")
LONGEST_WAIT = timedelta(minutes=10)  # an older stamp comes from a wrong clock


def waited(request: HttpRequest) -> timedelta:
    """How long this request has waited on our own machines, by their clocks; never negative."""
    now = time.time()
    stamps = [now, request.META.get(SERVER_STAMP, now)]
    if _comes_from_proxy(request):
        stamps += _read(request.headers.get(PROXY_STAMP, ""))
    wait = timedelta(seconds=now - min(stamps))
    return wait if wait <= LONGEST_WAIT else timedelta(0)


def _comes_from_proxy(request: HttpRequest) -> bool:
    if not settings.PROXY_STAMPS_ARRIVAL:
        return False
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return True  # a Unix socket has no address, and only local processes can reach it
    return any(address in network for network in settings.PROXY_ADDRESSES)


def _read(stamp: str) -> list[float]:
    match = STAMP.fullmatch(stamp)
    if not match:
        return []
    seconds, fraction, milliseconds = match.groups(default="")
    return [float(f"{seconds}.{fraction or milliseconds or 0}")]
