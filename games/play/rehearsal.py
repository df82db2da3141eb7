"""Whether a move could be played just now: one is, through the web server, and taken back.

The workers ask so before they count the time: while nobody can move, nobody's time runs out.
"""

import logging
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from itertools import chain
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import salted_hmac

from games.play import commands
from games.play.models.match import Player, Status
from games.rules.core.army import Seat

logger = logging.getLogger(__name__)

HEADER = "X-Rehearsal"
PATIENCE = 10  # seconds
MATCHES = 3  # tried from each end, at the most


def password() -> str:
    """What a worker shows, so that nobody else sets the web server to work."""
    return salted_hmac("games.play.rehearsal", "", algorithm="sha256").hexdigest()


def is_served() -> bool:
    """Whether the web server at WEB_URL takes moves; True where none is named."""
    if not settings.WEB_URL:
        return True
    where = urlsplit(settings.WEB_URL)
    kind = HTTPSConnection if where.scheme == "https" else HTTPConnection
    headers = {"Host": urlsplit(settings.SITE_URL).netloc, HEADER: password()}
    try:
        with closing(kind(where.netloc, timeout=PATIENCE)) as line:
            line.request("GET", where.path.rstrip("/") + reverse("play:rehearsal"), headers=headers)
            status = line.getresponse().status
    except (OSError, HTTPException) as error:
        logger.warning("No web server answers at WEB_URL (%s).", type(error).__name__)
        return False
    if status != 204:
        logger.warning("The web server at WEB_URL takes no move: it answers %s.", status)
    return status == 204


def rehearse() -> None:
    """Play a move where a clock is looked at next, and take it back.

    A match that is broken says nothing of the others: this raises what the last one raised only if
    no move can be played in the first and the last few of those that wait for their time.
    """
    clocks = Player.objects.filter(check_at__isnull=False, match__status=Status.RUNNING)
    ends = clocks.order_by("check_at")[:MATCHES], clocks.order_by("-check_at")[:MATCHES]
    failure: Exception | None = None
    for player in chain.from_iterable(ends):
        try:
            commands.rehearse(player.match_id, Seat(player.seat))
        except Exception as error:
            failure = error
        else:
            return
    if failure:
        raise failure
