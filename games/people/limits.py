"""How many matches a player may have at once, and who is barred from rated play for a while."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from games.people.models import Reliability
from games.play.lists.opponents import seats_against_people
from games.play.models.match import Status
from games.play.terms import MIN_TURNS
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User

FIRST_MATCHES = 10  # live matches of somebody who has finished none
MAX_MATCHES = 100
MAX_MISSES = 3  # losses on time or missing set-ups within MISS_PERIOD that bar
MISS_PERIOD = timedelta(days=90)


class OverTheCap(Refusal):
    """A player has as many live matches as they may have."""


class Leaving(Refusal):
    """A player's account is to be closed when their matches have ended."""


class Barred(Refusal):
    """A player has missed too much lately to enter anything rated."""


def check_staying(user: User) -> None:
    """Raise Leaving if a user's account is to be closed when their matches have ended."""
    if user.closes_at is not None:
        raise Leaving(
            gettext_noop(
                "Your account will be closed when your matches have ended, so you can begin "
                "nothing new. To play on, choose “Keep the account” on the site."
            )
        )


def check_cap(user_id: int, more: int = 1) -> None:
    """Raise OverTheCap if a user may not begin this many matches more."""
    most = most_matches(user_id)
    if live_matches(user_id) + more > most:
        raise OverTheCap(
            gettext_noop(
                "You may play %(limit)s matches against people at once, and this would be more. "
                "Finish one first: each match that you finish raises the limit, up to %(most)s."
            ),
            limit=most,
            most=MAX_MATCHES,
        )


def check_bar(user_id: int) -> None:
    """Raise Barred if a user may not enter anything rated for now."""
    if barred_since(user_id) is not None:
        raise Barred(
            gettext_noop(
                "You have lost on time or not set up %(count)s times within %(days)s days, so "
                "rated matches, ladders and tournaments are closed to you for now. Finish one "
                "match, and they are open again."
            ),
            count=MAX_MISSES,
            days=MISS_PERIOD // timedelta(days=1),
        )


def most_matches(user_id: int) -> int:
    """How many live matches against people a user may have."""
    finished = Reliability.objects.filter(user=user_id).values_list("finished", flat=True).first()
    return min(MAX_MATCHES, FIRST_MATCHES + (finished or 0))


def live_matches(user_id: int) -> int:
    """How many live matches against people a user has."""
    return seats_against_people(user_id).filter(live=True).count()


def barred_since(user_id: int) -> datetime | None:
    """When a user was barred from rated play, ladders and tournaments; None if they are not.

    Three misses within 90 days bar; finishing a match ends it.
    """
    missed = seats_against_people(user_id).filter(missed_at__gt=now() - MISS_PERIOD)
    misses = list(missed.order_by("-missed_at").values_list("missed_at", flat=True)[:MAX_MISSES])
    if len(misses) < MAX_MISSES or misses[0] is None:
        return None
    since = seats_against_people(user_id).filter(
        live=False,
        match__status=Status.FINISHED,
        match__finished_at__gt=misses[0],
        missed_at=None,
        turns__gte=MIN_TURNS,
    )
    return None if since.exists() else misses[0]
