"""Limits by the minute, counted in this process.

A count in the database would make every poll a write. So several web processes allow as many times
more; limits that must be exact are in the commands.
"""

import math
import threading
import time
from ipaddress import ip_network

from allauth.core.internal.httpkit import get_client_ip
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import ngettext

from accounts.models import AccessToken
from games.api.gate.problems import Problem

WINDOW_SECONDS = 60
MAX_COUNTED = 50_000  # tokens and addresses in a minute; those beyond share one count
READING = ("GET", "HEAD", "OPTIONS")
PREFIX_BITS = {4: 32, 6: 64}  # one network may have all addresses of an IPv6 prefix

_Key = tuple[str, int | str]  # the name of a limit, and the token's number or the address

_counting = threading.Lock()
_counts: dict[_Key, int] = {}
_minute = 0


def most(name: str) -> int | None:
    """The limit of that name, "read", "write" or "visitor"; None if there is none."""
    limits: dict[str, int] = settings.API_LIMITS
    return limits.get(name)


def count(request: HttpRequest, token: AccessToken | None) -> None:
    """Count a request of a token, or of a network address without one; raises Problem."""
    if token is None:
        name, who = "visitor", _network(get_client_ip(request) or "")
    else:
        name, who = "read" if request.method in READING else "write", str(token.pk)
    limit = most(name)
    if limit is not None and _counted((name, who)) > limit:
        raise _too_many(name)


def forget() -> None:
    """Reset all counts."""
    with _counting:
        _counts.clear()


def _counted(key: _Key) -> int:
    """How many requests of this minute there are for a key, with this one."""
    global _minute
    with _counting:
        minute = int(time.time() // WINDOW_SECONDS)
        if minute != _minute:
            _minute = minute
            _counts.clear()
        if len(_counts) >= MAX_COUNTED and key not in _counts:
            key = (key[0], "")
        _counts[key] = _counts.get(key, 0) + 1
        return _counts[key]


def _network(address: str) -> str:
    try:
        bits = PREFIX_BITS[6 if ":" in address else 4]
        return str(ip_network(f"{address}/{bits}", strict=False))
    except ValueError:
        return ""


def _too_many(name: str) -> Problem:
    seconds = max(1, math.ceil(WINDOW_SECONDS - time.time() % WINDOW_SECONDS))
    detail = ngettext(
        "The limit of requests a minute is reached. Wait for %(seconds)s second.",
        "The limit of requests a minute is reached. Wait for %(seconds)s seconds.",
        seconds,
    )
    return Problem(
        "too-many-requests",
        detail % {"seconds": seconds},
        headers={"Retry-After": str(seconds)},
        limit=name,
        retry_after=seconds,
    )
