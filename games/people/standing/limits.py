"""How many matches a player may have at once, and who is barred from rated play for a while."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from games.people.models import Reliability
from games.play.lists.opponents import between_people, seats_against_people
from games.play.models.match import Player, Status
from games.play.terms import MIN_TURNS
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.database.prepared_queries import PreparedQuery
from lib.db_clock import now, now_expression

if TYPE_CHECKING:
    from accounts.models import User

FIRST_MATCHES = 10  # live matches of somebody who has finished none
MAX_MATCHES = 100
MAX_MATCHES_OF_BOT = 50  # live ones, those against the house included
MAX_MISSES = 3  # losses on time or missing set-ups within MISS_PERIOD that bar
MISS_PERIOD = timedelta(days=90)


class OverTheCap(Refusal):
    """A player has as many live matches as they may have."""

    code = "limit-reached"


class BotLimit(Refusal):
    """A bot has as many matches or open seats as a bot may have."""


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
        raise over_the_cap(most)


def check_cap_of(user: User, more: int = 1) -> None:
    """Raise a Refusal if a person or a bot may not begin this many matches more."""
    if not user.is_bot:
        check_cap(user.pk, more)
    elif Player.objects.filter(user=user, live=True).count() + more > MAX_MATCHES_OF_BOT:
        raise BotLimit(
            gettext_noop(
                "%(bot)s plays as many matches as a bot may play at once, which is %(limit)s. Try "
                "again when one is over."
            ),
            bot=user,
            limit=MAX_MATCHES_OF_BOT,
        )


def over_the_cap(most: int) -> OverTheCap:
    """The refusal for somebody who may have so many live matches."""
    return OverTheCap(
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
        raise barred()


def barred() -> Barred:
    """The refusal for somebody who is barred."""
    return Barred(
        gettext_noop(
            "You have lost on time, not set up, or resigned before your second move %(count)s "
            "times within %(days)s days, so rated matches, ladders and tournaments are closed to "
            "you for now. Finish one match, and they are open again."
        ),
        count=MAX_MISSES,
        days=MISS_PERIOD // timedelta(days=1),
    )


def most_matches(user_id: int) -> int:
    """How many live matches against people a user may have."""
    return most_after(finished_matches(user_id))


def most_after(finished: int) -> int:
    """How many live matches against people somebody with so many finished ones may have."""
    return min(MAX_MATCHES, FIRST_MATCHES + finished)


def finished_matches(user_id: int) -> int:
    """How many final matches against people a user has finished."""
    finished = Reliability.objects.filter(user=user_id).values_list("finished", flat=True).first()
    return finished or 0


def has_missed(user_id: int, at: datetime) -> bool:
    """Whether a user has lost on time or not set up within MISS_PERIOD before an instant."""
    return seats_against_people(user_id).filter(missed_at__gt=at - MISS_PERIOD).exists()


def live_matches(user_id: int) -> int:
    """How many live matches against people a user has."""
    return seats_against_people(user_id).filter(live=True).count()


def barred_since(user_id: int) -> datetime | None:
    """When a user was barred from rated play, ladders and tournaments; None if they are not.

    Three misses within 90 days bar; finishing a match ends it.
    """
    misses = [missed_at for (missed_at,) in _newest_misses(user_id=user_id)]
    if len(misses) < MAX_MISSES or misses[0] is None or misses[-1] is None:
        return None
    if misses[-1] <= now() - MISS_PERIOD:
        return None
    since = seats_against_people(user_id).filter(
        live=False,
        match__status=Status.FINISHED,
        match__finished_at__gt=misses[0],
        missed_at=None,
        turns__gte=MIN_TURNS,
    )
    return None if since.exists() else misses[0]


@PreparedQuery
def _newest_misses(user_id: int) -> QuerySet[Any, Any]:
    missed = seats_against_people(user_id).filter(missed_at__isnull=False)
    return missed.order_by("-missed_at").values_list("missed_at")[:MAX_MISSES]


def without_barred(rows: Any, user: str, condition: Q) -> Any:
    """A query set without the rows that meet a condition and whose `user` (a column) is barred.

    In one query, for lists; as `barred_since` says it of one user.
    """
    theirs = Player.objects.filter(between_people(), user=OuterRef(user))
    misses = theirs.filter(missed_at__isnull=False).order_by("-missed_at").values("missed_at")
    finished = theirs.filter(
        live=False,
        match__status=Status.FINISHED,
        match__finished_at__gt=OuterRef("newest_miss"),
        missed_at=None,
        turns__gte=MIN_TURNS,
    )
    marked = rows.alias(
        newest_miss=Subquery(misses[:1]), third_miss=Subquery(misses[MAX_MISSES - 1 : MAX_MISSES])
    )
    since = now_expression() - MISS_PERIOD
    free = Q(third_miss__isnull=True) | Q(third_miss__lte=since) | Exists(finished)
    return marked.filter(~condition | free)
