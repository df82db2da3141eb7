"""Orders: somebody asks for a film, which a worker then makes."""

from django.db import transaction

from games.archive.models import Film, FilmEyes
from games.outbox.wake_worker import wake_worker
from games.play.models.match import Match
from games.play.pictures.film import MAX_PLIES
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

MAKE = "games.archive.tasks.make_film"


class NotOpen(Exception):  # noqa: N818 -- a lookup without a result, not an error.
    """The match is not open: it has no films yet, or never will."""


def order(match_id: int, eyes: FilmEyes) -> Film:
    """Ask for a film; one that is made or waiting stays as it is.

    Raises Match.DoesNotExist, NotOpen, and Refusal if the match is too long.
    """
    match = Match.objects.get(pk=match_id)
    at = now()
    if not match.is_open(at) or match.opening is None:
        raise NotOpen
    if (last := match.ply - match.opening) > MAX_PLIES:
        raise Refusal(
            gettext_noop(
                "A film shows at most %(most)s moves of both sides together, and this match has "
                "%(count)s. You can replay it move by move."
            ),
            most=MAX_PLIES,
            count=last,
        )
    film, _made = Film.objects.get_or_create(match=match, eyes=eyes, defaults={"asked_at": at})
    if not film.bytes:
        # If it is lost, the next tick finds the row.
        transaction.on_commit(_wake, robust=True)
    return film


def _wake() -> None:
    wake_worker(MAKE)
