"""Vacations and the budget that they are taken from: thirty days a year, by the hour.

A vacation is the player's, in every match that allows any. No clock stands still for one; a
deadline that falls into it moves to its end.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from accounts.models import User
from games.play import rest
from games.play.models.match import Player
from games.play.models.time import Vacation
from games.play.rest import Stretch

BUDGET = timedelta(days=30)  # a year of UTC, counted where a vacation begins
HOUR = timedelta(hours=1)


def used(user_id: int, year: int) -> timedelta:
    """What a player has taken, or set aside for holidays, in a year."""
    first = datetime(year, 1, 1, tzinfo=UTC)
    begun = Vacation.objects.filter(
        user=user_id, start__gte=first, start__lt=first.replace(year=year + 1)
    )
    rows = begun.values_list("start", "end")
    return sum((end - start for start, end in rows), timedelta(0))


def left(user_id: int, at: datetime) -> timedelta:
    """What is left of the year's budget."""
    return BUDGET - used(user_id, at.astimezone(UTC).year)


def ahead(user: User, at: datetime) -> list[Stretch]:
    """The vacations that are not over, in order; no query for those who have planned none."""
    if user.away_until is None or user.away_until <= at:
        return []
    coming = Vacation.objects.filter(user=user.pk, end__gt=at).order_by("start")
    return list(coming.values_list("start", "end"))


def lasts_until(player: Player, at: datetime) -> datetime | None:
    """Until when a player is away in a match, as far as is known; None if they are not.

    Vacations between which only rests lie are one absence. Hours that were taken for a deadline
    count in the match that still waits for the player: whoever has moved has come back.
    """
    mine = Vacation.objects.filter(user=player.user_id)
    if not player.to_act:
        mine = mine.filter(planned=True)
    newest = mine.filter(start__lte=at).order_by("-end").first()
    if newest is None:
        return None
    pause, end = rest.read(player.user.rest), newest.end
    coming = mine.filter(start__gt=at).order_by("start")
    for start, until in coming.values_list("start", "end"):
        if rest.spare(end, pause) < start:
            break
        end = until
    # The next hour is taken when the sweep finds the deadline that stands at the end of this one.
    goes_on = player.check_at is not None and player.deadline == rest.spare(end, pause)
    return end if at < end or goes_on else None


def cover(user: User, at: datetime) -> Vacation | None:
    """The vacation in which an instant lies; an hour is taken for it if there is none.

    None if the year's budget is spent. To be called with the user's row locked.
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
        found = before
    else:
        found = Vacation.objects.create(user_id=user.pk, start=at, end=at + HOUR)
    tell(user, found.end)
    return found


def tell(user: User, end: datetime) -> None:
    """Remember on the player's own row until when it is worth looking for vacations."""
    user.away_until = max(end, user.away_until or end)
    User.objects.filter(pk=user.pk).update(away_until=user.away_until)
