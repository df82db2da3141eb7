"""Makes the films that were ordered, one in each run, and keeps them within KEPT_BYTES."""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import F, Q, Sum

from games.archive.films.orders import MAKE
from games.archive.models import Film, FilmFile
from games.outbox.wake_worker import wake_worker
from games.play.pictures import film as drawing
from games.rules.core.basics.viewpoint import Viewpoint
from lib.db_clock import now

log = logging.getLogger(__name__)

KEPT_BYTES = 256 * 1024 * 1024
CLAIM = timedelta(minutes=2)  # for a worker to make a film, which takes some seconds at most
ATTEMPTS = 3


def make_next() -> bool:
    """Make the film that has waited longest; returns whether there was one. Idempotent.

    A film that cannot be made is deleted, so it can be ordered again.
    """
    film = _claim()
    if film is None:
        return False
    try:
        body = drawing.film(film.match_id, Viewpoint(film.eyes), _last(film))
    except Exception as error:
        log.error("Film %s of match %s failed: %s", film.pk, film.match_id, type(error).__name__)
        if film.attempts >= ATTEMPTS or isinstance(error, drawing.TooLong):
            film.delete()
        return True
    _store(film, body)
    if Film.objects.filter(bytes=0).exists():
        # Others get their turn first: e-mails are sent by the same worker.
        wake_worker(MAKE)
    return True


def _last(film: Film) -> int:
    match = film.match
    return match.ply - (match.opening or 0)


def _claim() -> Film | None:
    """Claim the oldest waiting film; another worker's claim counts until it is over."""
    at = now()
    free = Q(claimed_at=None) | Q(claimed_at__lt=at - CLAIM)
    # Those whose worker was killed each time, before it could delete them.
    waiting = Film.objects.filter(free, bytes=0)
    waiting.filter(attempts__gte=ATTEMPTS).delete()
    film = waiting.select_related("match").order_by("pk").first()
    if film is None:
        return None
    unchanged = Film.objects.filter(pk=film.pk, bytes=0, claimed_at=film.claimed_at)
    if not unchanged.update(claimed_at=at, attempts=F("attempts") + 1):
        return None
    film.attempts += 1
    return film


@transaction.atomic
def _store(film: Film, body: bytes) -> None:
    """Store a film, and delete those that nobody has asked for the longest beyond KEPT_BYTES."""
    if not Film.objects.filter(pk=film.pk, bytes=0).update(bytes=len(body)):
        return
    FilmFile.objects.create(film=film, body=body)
    kept = Film.objects.aggregate(sum=Sum("bytes"))["sum"]
    others = Film.objects.filter(bytes__gt=0).exclude(pk=film.pk).order_by("asked_at", "pk")
    while kept > KEPT_BYTES and (oldest := others.first()):
        kept -= oldest.bytes
        oldest.delete()
