"""Vacations of a player and their yearly budget: 30 days, taken by the hour.

A vacation counts in every match that allows vacations. Clocks run on during it; a deadline within
it moves to its end.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from accounts.models import User
from games.play.clocks import rest
from games.play.clocks.rest import Interval
from games.play.models.match import Player
from games.play.models.time import Vacation

YEARLY_BUDGET = timedelta(
    days=30
)  # of a UTC year; a vacation counts in the year in which it begins
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def used(user_id: int, year: int) -> timedelta:
    """The time that a player has taken or planned in a UTC year."""
    first = datetime(year, 1, 1, tzinfo=UTC)
    begun = Vacation.objects.filter(
        user=user_id, start__gte=first, start__lt=first.replace(year=year + 1)
    )
    rows = begun.values_list("start", "end")
    return sum((end - start for start, end in rows), timedelta(0))


def left(user_id: int, at: datetime) -> timedelta:
    """What is left of the budget of the UTC year of `at`."""
    return YEARLY_BUDGET - used(user_id, at.astimezone(UTC).year)


def days_left(user_id: int, at: datetime) -> float:
    """What is left of the budget of the UTC year of `at`, in days, rounded down to a tenth."""
    return left(user_id, at) // (DAY / 10) / 10


def ahead(user: User, at: datetime) -> list[Interval]:
    """Vacations that are not over at `at`, in order; no query for players without any."""
    if user.away_until is None or user.away_until <= at:
        return []
    coming = Vacation.objects.filter(user=user.pk, end__gt=at).order_by("start")
    return list(coming.values_list("start", "end"))


def ahead_of(users: Collection[User], at: datetime) -> dict[int, list[Interval]]:
    """`ahead` of many players, by user id; at most one query."""
    ahead_by_user: dict[int, list[Interval]] = {user.pk: [] for user in users}
    away = [user.pk for user in users if user.away_until is not None and user.away_until > at]
    if away:
        coming = Vacation.objects.filter(user__in=away, end__gt=at).order_by("start")
        for user_id, start, end in coming.values_list("user_id", "start", "end"):
            ahead_by_user[user_id].append((start, end))
    return ahead_by_user


def lasts_until(player: Player, at: datetime) -> datetime | None:
    """The known end of a player's absence from a match; None if they are not absent.

    Vacations separated only by rests are one absence. Hours taken automatically at a deadline count
    only during the player's turn: a player who has moved is back.
    """
    own_vacations = Vacation.objects.filter(user=player.user_id)
    if not player.to_act:
        own_vacations = own_vacations.filter(planned=True)
    newest = own_vacations.filter(start__lte=at).order_by("-end").first()
    if newest is None:
        return None
    pause, end = rest.parse(player.user.rest), newest.end
    coming = own_vacations.filter(start__gt=at).order_by("start")
    for start, until in coming.values_list("start", "end"):
        if rest.first_outside_rest(end, pause) < start:
            break
        end = until
    # The sweep takes the next hour once the deadline at the end of this one has passed.
    goes_on = player.check_at is not None and player.deadline == rest.first_outside_rest(end, pause)
    return end if at < end or goes_on else None


def vacation_covering(user: User, at: datetime) -> Vacation | None:
    """The vacation that contains an instant; takes an hour of the budget for it if there is none.

    None if the year's budget is used up. The caller has to hold the lock on the user's row.
    """
    on = Vacation.objects.filter(user=user.pk, start__lte=at, end__gt=at).order_by("-end").first()
    if on is not None:
        return on
    if left(user.pk, at) < HOUR:
        return None
    year = at.astimezone(UTC).year
    before = Vacation.objects.filter(user=user.pk, end=at, planned=False).first()
    if before is not None and before.start.astimezone(UTC).year == year:
        before.end = at + HOUR
        before.save(update_fields=["end"])
        vacation = before
    else:
        vacation = Vacation.objects.create(user_id=user.pk, start=at, end=at + HOUR)
    extend_away_until(user, vacation.end)
    return vacation


def extend_away_until(user: User, end: datetime) -> None:
    """Store the end of the last vacation on the user's row, which saves `ahead` a query."""
    user.away_until = max(end, user.away_until or end)
    User.objects.filter(pk=user.pk).update(away_until=user.away_until)
