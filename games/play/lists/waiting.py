"""Matches that wait for a player: how many, which, and the next one.

A turn that the player's plan will answer does not wait for them.
"""

from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from games.play import ports
from games.play.models.match import Player
from games.play.record.sealed.answering_plans import plan_answers
from lib.database.prepared_queries import PreparedQuery
from lib.db_clock import unless_frozen

Reader = AbstractBaseUser | AnonymousUser


class Counts(NamedTuple):
    """What waits for a reader: matches in which they are to move, and challenges to answer."""

    matches: int
    challenges: int


class FrontPageRow(NamedTuple):
    """What the front page shows besides its lists."""

    waiting: Counts
    has_finished: bool  # whether they have had a match that is over
    at: datetime  # the time of the query by the database's clock


def waiting_for(user: Reader) -> QuerySet[Player]:
    """The seats that wait for `user`, the nearest deadline first."""
    return (
        Player.objects.filter(~plan_answers(), user=user.pk, live=True, to_act=True)
        .select_related("match")
        .order_by(F("deadline").asc(nulls_last=True), "match")
    )


def unseen_results(user: Reader) -> QuerySet[Player]:
    """The seats in matches that are over and whose result `user` has not seen."""
    return (
        Player.objects.filter(user=user.pk, unseen=True).select_related("match").order_by("match")
    )


def unread_talk(user: Reader) -> QuerySet[Player]:
    """The seats in matches where the opponent has written something that `user` has not read."""
    unread = Player.objects.filter(user=user.pk, talk_unread__gt=0)
    return unread.select_related("match").order_by("match")


def count_waiting(user: Reader) -> int:
    """How many matches wait for `user`, for title, feeds and devices."""
    return counts(user).matches


def counts(user: Reader) -> Counts:
    """What waits for `user`, for the masthead; one query, none for visitors."""
    rows = list(_counts(user_id=user.pk)) if user.pk else []
    return Counts(*rows[0]) if rows else Counts(0, 0)


def front_page_row(user_id: int) -> FrontPageRow:
    """The counts of a player, and what else their front page has to ask; one query."""
    ((*numbers, has_finished, at),) = _front_page_row(user_id=user_id)
    return FrontPageRow(Counts(*numbers), has_finished, unless_frozen(at))


@PreparedQuery
def _front_page_row(user_id: int) -> QuerySet[Any, Any]:
    finished = Player.objects.filter(user=OuterRef("pk"), live=False)
    return _users(user_id, Exists(finished), Now())


@PreparedQuery
def _counts(user_id: int) -> QuerySet[Any, Any]:
    return _users(user_id)


def _users(user_id: int, *more: Exists | Now) -> QuerySet[Any, Any]:
    seats = Player.objects.filter(~plan_answers(), user=OuterRef("pk"), live=True, to_act=True)
    waiting = seats.values("user")
    matches = Coalesce(Subquery(waiting.values(count=Count("pk"))), 0)
    users: QuerySet[Any, Any] = get_user_model().objects.filter(pk=user_id)
    return users.values_list(matches, ports.challenges.one("pk"), *more)


def next_waiting(user: Reader, after: int | None = None) -> Player | None:
    """The seat to go to next, in turn by deadline, then unseen results; None if no match waits.

    `after` is the id of the match that the reader comes from, which is never returned.
    """
    seats = list(waiting_for(user)[:100])
    current = next((i for i, seat in enumerate(seats) if seat.match_id == after), None)
    if current is not None:
        seats = seats[current + 1 :] + seats[:current]
    if seats:
        return seats[0]
    return unseen_results(user).exclude(match=after).first()


def next_to_open(user: Reader, after: int | None = None) -> Player | None:
    """As `next_waiting`; if no match waits, the next one with unread talk."""
    return next_waiting(user, after) or unread_talk(user).exclude(match=after).first()
