"""What waits for a player: the one number, the list behind it, and what comes next."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, F, QuerySet

from games.play.models.match import Player
from games.play.queries import ReadyQuery

Reader = AbstractBaseUser | AnonymousUser


def waiting_for(user: Reader) -> QuerySet[Player]:
    """The seats in which `user` is to act, the nearest deadline first."""
    return (
        Player.objects.filter(user=user.pk, to_act=True)
        .select_related("match")
        .order_by(F("deadline").asc(nulls_last=True), "match")
    )


def unseen_results(user: Reader) -> QuerySet[Player]:
    """The ended matches that `user` has not looked at since."""
    return (
        Player.objects.filter(user=user.pk, unseen=True).select_related("match").order_by("match")
    )


def count_waiting(user: Reader) -> int:
    """How many matches wait for `user`: the same number in title, navigation and subject."""
    counted = list(_waiting(user_id=user.pk)) if user.pk else []
    return counted[0][0] if counted else 0


@ReadyQuery
def _waiting(user_id: int) -> QuerySet[Any, Any]:
    waiting = Player.objects.filter(user=user_id, to_act=True).values("user")
    return waiting.values_list(Count("pk"))


def next_waiting(user: Reader, after: int | None = None) -> Player | None:
    """The seat to go to next: by deadline and round and round, then endings not looked at yet.

    `after` is the match where the reader is now; it never follows itself.
    """
    seats = list(waiting_for(user)[:100])
    here = next((i for i, seat in enumerate(seats) if seat.match_id == after), None)
    if here is not None:
        seats = seats[here + 1 :] + seats[:here]
    if seats:
        return seats[0]
    return unseen_results(user).exclude(match=after).first()
