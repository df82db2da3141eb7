"""Readiness: whether a move can be stored now, and whether any web server takes one.

Workers ask every twenty seconds and store the result in the heartbeat: while no move can be taken,
no player loses on time.
"""

import logging
import ssl
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from enum import Enum
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from importlib import import_module
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import F
from django.urls import reverse

from games.play import ports
from games.play.clocks import heartbeat
from games.play.models.time import Heartbeat, WebServer
from games.play.record import match_store
from lib.db_clock import now

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS = 10.0  # for the connection, and for the answer
CACHE_SECONDS = 5.0  # for the cache to answer, or to fail
PROBE_KEY = "health"


class NotReady(Exception):  # noqa: N818 -- it is an answer.
    """A part that every move needs is too slow, or does not keep what it stores."""


class ProbeResult(Enum):
    """The result of probing a web server; of several servers, the greatest counts."""

    DOWN = 0  # no connection, or the answer is that no move can be stored
    SLOW = 1  # connected, but no answer in time
    READY = 2


class ProbeAnswer(NamedTuple):
    """The answer of a web server to a probe."""

    finding: ProbeResult
    failure: str = ""


def check_move_path() -> None:
    """Do what every move needs: open a session, commit a write, seal a text, unseal a stored ply.

    Raises any error: of a database that is down, read-only or full, of a key that is missing or
    wrong. Leaves nothing behind.
    """
    _check_cache()
    with transaction.atomic():
        Heartbeat.objects.filter(pk=1).update(last_beat_at=F("last_beat_at"))
        _check_sessions()
    match_store.check_keys()


def broken_matches() -> list[int]:
    """Matches in which nobody can move, since their newest ply is missing; one query."""
    return match_store.lacking_newest_ply()


def take_heartbeat() -> None:
    """Probe whether moves can be taken, and store the result in the heartbeat.

    Any number of workers may do so at once.
    """
    finding = ask_servers()
    if not ports.other_ways_are_open():
        logger.warning("What players send by mail cannot come in just now; the clocks stand.")
        return
    if finding is ProbeResult.READY:
        heartbeat.beat()
    elif finding is ProbeResult.SLOW:
        heartbeat.note_contact()


def ask_servers() -> ProbeResult:
    """Whether moves can be taken, by probes of the web servers at WEB_URL and of PROXY_URL.

    Of several web servers or proxies, the best result counts. Without WEB_URL, a check right here
    takes the place of web servers.
    """
    urls = (*settings.WEB_URLS, *settings.PROXY_URLS)
    answers: dict[str, ProbeAnswer] = {}
    if urls:
        with ThreadPoolExecutor(len(urls)) as threads:
            answers = dict(zip(urls, threads.map(probe, urls), strict=True))
        _note(answers)
    web = _best(answers, settings.WEB_URLS) if settings.WEB_URLS else _check_here()
    if not settings.PROXY_URLS or web is not ProbeResult.READY:
        return web
    if _best(answers, settings.PROXY_URLS) is ProbeResult.READY:
        return ProbeResult.READY
    # Never DOWN: an attacker who keeps a proxy busy, so that it may refuse connections, must win no
    # more time than that (docs/time.md).
    return ProbeResult.SLOW


def _best(answers: Mapping[str, ProbeAnswer], urls: Iterable[str]) -> ProbeResult:
    return max((answers[url].finding for url in urls), key=lambda one: one.value)


class SiteConnection(HTTPSConnection):
    """A connection to a proxy at any address, with the certificate of the site."""

    def connect(self) -> None:
        HTTPConnection.connect(self)
        context = ssl.create_default_context()
        self.sock = context.wrap_socket(self.sock, server_hostname=settings.SITE_HOST)


def probe(url: str) -> ProbeAnswer:
    """Ask the web server or proxy at `url` whether the service is ready."""
    address = urlsplit(url)
    connect: type[HTTPConnection] = HTTPConnection
    if address.scheme == "https":
        connect = SiteConnection if url in settings.PROXY_URLS else HTTPSConnection
    headers = {"Host": urlsplit(settings.SITE_URL).netloc}
    try:
        with closing(connect(address.netloc, timeout=TIMEOUT_SECONDS)) as connection:
            path = address.path.rstrip("/") + reverse("play:ready")
            connection.request("GET", path, headers=headers)
            status = connection.getresponse().status
    except TimeoutError:
        return ProbeAnswer(ProbeResult.SLOW, f"no answer within {TIMEOUT_SECONDS:.0f} s")
    except (OSError, HTTPException, ValueError) as error:
        return ProbeAnswer(ProbeResult.DOWN, f"no answer ({type(error).__name__})")
    if status == 204:
        return ProbeAnswer(ProbeResult.READY)
    # A proxy answers 504 if its own wait has timed out.
    return ProbeAnswer(
        ProbeResult.SLOW if status == 504 else ProbeResult.DOWN, f"it answers {status}"
    )


def failing_servers() -> Iterable[WebServer]:
    """The web servers of WEB_URL and proxies of PROXY_URL that were not ready at the last probe."""
    urls = (*settings.WEB_URLS, *settings.PROXY_URLS)
    failing = WebServer.objects.filter(url__in=urls, failing_since__isnull=False)
    return failing.order_by("url")


def _check_here() -> ProbeResult:
    try:
        check_move_path()
    except Exception as error:
        logger.warning("No move could be stored just now (%s).", type(error).__name__)
        return ProbeResult.DOWN
    return ProbeResult.READY


def _check_cache() -> None:
    """Raises NotReady for a cache that is slow; one that is down costs only speed."""
    begun = time.monotonic()
    try:
        cache.set(PROBE_KEY, 1, timeout=60)
        cache.get(PROBE_KEY)
    except Exception as error:
        logger.warning("The cache is away (%s).", type(error).__name__)
    if time.monotonic() - begun > CACHE_SECONDS:
        raise NotReady("the cache takes too long")


def _check_sessions() -> None:
    """Store a session and open it again, as a log-in and the next request do."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    session = store()
    session[PROBE_KEY] = 1
    session.create()
    kept = store(session.session_key).get(PROBE_KEY)
    session.delete()
    if kept != 1:
        raise NotReady("sessions are not kept")


def _note(answers: dict[str, ProbeAnswer]) -> None:
    """Store the result of each web server and proxy, and log changes."""
    known = {row.url: row for row in WebServer.objects.all()}
    for url, (finding, failure) in answers.items():
        row = known.pop(url, None) or WebServer(url=url)
        kind = "proxy" if url in settings.PROXY_URLS else "web server"
        if finding is ProbeResult.READY and (row.pk is None or row.failing_since):
            if row.failing_since:
                logger.warning("The %s at %s is ready again.", kind, url)
            _keep(row, failing_since=None, failure="")
        elif finding is not ProbeResult.READY and row.failure != failure:
            logger.warning("The %s at %s is not ready: %s.", kind, url, failure)
            _keep(row, failing_since=row.failing_since or now(), failure=failure)
    if known:
        WebServer.objects.filter(url__in=known).delete()


def _keep(row: WebServer, **columns: object) -> None:
    WebServer.objects.update_or_create(url=row.url, defaults=columns)
