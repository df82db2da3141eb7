"""Finds the files of films that are made, and records that somebody asked for them."""

from datetime import timedelta

from games.archive.models import Film, FilmEyes, FilmFile
from lib.db_clock import now

ASKED_EVERY = timedelta(hours=1)  # a film that is asked for often is not written each time


def find(match_id: int, eyes: FilmEyes) -> Film | None:
    """The film of a match if it is made; None otherwise."""
    film = Film.objects.filter(match=match_id, eyes=eyes, bytes__gt=0).first()
    if film and film.asked_at < (at := now()) - ASKED_EVERY:
        Film.objects.filter(pk=film.pk).update(asked_at=at)
    return film


def body(film: Film) -> bytes | None:
    """The file of a film; None if the film was deleted meanwhile."""
    content = FilmFile.objects.filter(pk=film.pk).values_list("body", flat=True).first()
    return None if content is None else bytes(content)


def states(match_id: int) -> dict[str, bool]:
    """The films of a match by what they show: True if it is made, False if it waits; one query."""
    films = Film.objects.filter(match=match_id).values_list("eyes", "bytes")
    return {eyes: size > 0 for eyes, size in films}
