"""Readiness checks: can a move be stored now, and does the web server accept any?

The workers ask before they sweep deadlines: while nobody can move, nobody loses on time.
"""

import logging
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import F
from django.urls import reverse

from games.play.models.time import Heartbeat
from games.play.record import match_store

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS = 10


def check_move_path() -> None:
    """Do what every move needs: commit a write, seal a text, unseal a stored ply.

    Raises whatever fails: a database that is down, read-only or full, a key that is missing or
    wrong. The write changes no value.
    """
    Heartbeat.objects.filter(pk=1).update(last_beat_at=F("last_beat_at"))
    match_store.check_keys()


def is_web_server_ready() -> bool:
    """Whether the web server at WEB_URL reports that it is ready; True if no WEB_URL is set."""
    if not settings.WEB_URL:
        return True
    address = urlsplit(settings.WEB_URL)
    connect = HTTPSConnection if address.scheme == "https" else HTTPConnection
    headers = {"Host": urlsplit(settings.SITE_URL).netloc}
    try:
        with closing(connect(address.netloc, timeout=TIMEOUT_SECONDS)) as connection:
            path = address.path.rstrip("/") + reverse("play:ready")
            connection.request("GET", path, headers=headers)
            status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        logger.warning("No web server answers at WEB_URL (%s).", type(error).__name__)
        return False
    if status != 204:
        logger.warning("The web server at WEB_URL is not ready: it answers %s.", status)
    return status == 204
