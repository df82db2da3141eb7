"""Seats of the house as a queue: which are to move, when their answers are due, and leases.

Seats that are to move are found in the rows of players, so a lost wake-up or a killed worker
delays an answer, but loses none.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import F, Min, Q, QuerySet

from accounts.models import User
from games.house import house_accounts, sealing
from games.house.models import HouseSeat
from games.play.models.match import Player, Status
from lib.db_clock import now

BATCH_SEATS = 200  # scheduled in one run
# Many times what an answer takes. After a killed worker, another answers within a minute. If an
# answer takes longer, two workers may compute it, but the move is played once.
LEASE = timedelta(seconds=45)
RETRY_AFTER = timedelta(minutes=1)  # times the number of failures
MIN_PAUSE, MAX_PAUSE = timedelta(minutes=3), timedelta(hours=2)
MAX_PAUSE_SHARE = 1 / 8  # of the time left on the clock


def take(player: Player, *, leisurely: bool = False) -> HouseSeat:
    """The HouseSeat of a player, created with its own seed if it is missing."""
    seat: HouseSeat
    seat, _created = HouseSeat.objects.get_or_create(
        player=player,
        defaults={
            "level": player.user.house_level,
            "seed": sealing.new_seed(player.pk),
            "leisurely": leisurely,
        },
    )
    return seat


def on_turn(house: Iterable[User]) -> QuerySet[Player]:
    """The players of the house who are to act, except in paused matches."""
    ids = [user.pk for user in house]
    to_act = Player.objects.filter(user__in=ids, live=True, to_act=True)
    return to_act.filter(match__status__in=Status.live(), match__paused_at=None)


def schedule_turns(house: Iterable[User]) -> None:
    """Set when each new turn of the house is due to be answered."""
    began = F("match__ply") - F("match__newest_looks")  # Match.turn_ply
    unscheduled = Q(house_seat=None) | Q(house_seat__ply=None) | ~Q(house_seat__ply=began)
    new = on_turn(house).filter(unscheduled).select_related("match", "user", "house_seat")
    at = now()
    for player in new.order_by("pk")[:BATCH_SEATS]:
        seat = getattr(player, "house_seat", None) or take(player)
        due = at + _pause(player, at) if seat.leisurely else at
        # Filtered again, since another worker may have scheduled it meanwhile.
        still_new = HouseSeat.objects.filter(pk=seat.pk).filter(
            Q(ply=None) | ~Q(ply=player.match.turn_ply)
        )
        still_new.update(ply=player.match.turn_ply, due_at=due, lease_until=None, failures=0)


def claim() -> HouseSeat | None:
    """Lease the seat that has been due longest; None if none is due."""
    while True:
        at = now()
        seat = _due(at).select_related("player__user", "player__match").first()
        if seat is None:
            return None
        # Optimistic lock: of several workers, one gets it.
        free = HouseSeat.objects.filter(pk=seat.pk, ply=seat.ply, lease_until=seat.lease_until)
        if free.update(lease_until=at + LEASE):
            return seat


def done(seat: HouseSeat) -> None:
    """Mark the turn as answered, or as no longer to be answered."""
    HouseSeat.objects.filter(pk=seat.pk, ply=seat.ply).update(due_at=None, lease_until=None)


def failed(seat: HouseSeat) -> None:
    """Schedule another attempt after a failure."""
    failures = seat.failures + 1
    HouseSeat.objects.filter(pk=seat.pk, ply=seat.ply).update(
        due_at=now() + RETRY_AFTER * failures, lease_until=None, failures=min(failures, 60)
    )


def any_due() -> bool:
    """Whether any seat is due and not leased."""
    return _due(now()).exists()


def owed_since(at: datetime) -> datetime | None:
    """When the oldest unanswered turn of the house before `at` began, scheduled or not.

    None without one. Leisurely seats do not count.
    """
    owed = Player.objects.filter(user__username__in=house_accounts.NAMES, to_act=True, live=True)
    owed = owed.filter(Q(house_seat=None) | Q(house_seat__leisurely=False))
    since: datetime | None = owed.filter(since__lt=at).aggregate(since=Min("since"))["since"]
    return since


def _due(at: datetime) -> QuerySet[HouseSeat]:
    free = Q(lease_until=None) | Q(lease_until__lte=at)
    due = HouseSeat.objects.filter(free, due_at__lte=at)
    # A move would end the pause, so turns scheduled before it wait until it ends.
    return due.filter(player__match__paused_at=None).order_by("due_at", "pk")


def _pause(player: Player, at: datetime) -> timedelta:
    """A random time before a leisurely seat answers. It must not depend on the position."""
    pause = MIN_PAUSE + (MAX_PAUSE - MIN_PAUSE) * secrets.SystemRandom().random() ** 2
    if player.deadline is not None:
        pause = min(pause, max(timedelta(0), player.deadline - at) * MAX_PAUSE_SHARE)
    return pause
