"""Seats of the house: whose turn has come, when it is to be answered, and who thinks about it.

Nothing has to be told for that: which seats wait is read off the players' rows, so a lost wake-up
or a killed worker costs time and no answer.
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

BATCH_SEATS = 200  # noted in one go
# Many times what a thought takes; what a killed worker had leased is answered within a minute. A
# thought that takes longer may be thought twice, and is played once.
LEASE = timedelta(seconds=45)
RETRY_AFTER = timedelta(minutes=1)  # times the failures so far
LEAST_PAUSE, LONGEST_PAUSE = timedelta(minutes=3), timedelta(hours=2)
MAX_PAUSE_SHARE = 1 / 8  # of the time that is left on its clock


def take(player: Player, *, leisurely: bool = False) -> HouseSeat:
    """The house's seat of this player, with a seed of its own; made once."""
    seat: HouseSeat
    seat, _made = HouseSeat.objects.get_or_create(
        player=player,
        defaults={
            "level": player.user.house_level,
            "seed": sealing.new_seed(player.pk),
            "leisurely": leisurely,
        },
    )
    return seat


def on_turn(house: Iterable[User]) -> QuerySet[Player]:
    """The players of the house who are to act, but for those whose match is paused."""
    waiting = Player.objects.filter(user__in=[user.pk for user in house], to_act=True)
    return waiting.filter(match__status__in=Status.live(), match__paused_at=None)


def note_turns(house: Iterable[User]) -> None:
    """Note each turn that has come, and when it is to be answered."""
    unnoted = Q(house_seat=None) | Q(house_seat__ply=None) | ~Q(house_seat__ply=F("match__ply"))
    fresh = on_turn(house).filter(unnoted).select_related("match", "user", "house_seat")
    at = now()
    for player in fresh.order_by("pk")[:BATCH_SEATS]:
        seat = getattr(player, "house_seat", None) or take(player)
        due = at + _pause(player, at) if seat.leisurely else at
        # Another worker may have noted it.
        unnoted_still = HouseSeat.objects.filter(pk=seat.pk).filter(
            Q(ply=None) | ~Q(ply=player.match.ply)
        )
        unnoted_still.update(ply=player.match.ply, due_at=due, lease_until=None, failures=0)


def claim() -> HouseSeat | None:
    """Lease the seat that has waited longest; None if none is due."""
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
    """What was due at this ply is done, or no longer wanted."""
    HouseSeat.objects.filter(pk=seat.pk, ply=seat.ply).update(due_at=None, lease_until=None)


def failed(seat: HouseSeat) -> None:
    """It could not be answered: later again."""
    failures = seat.failures + 1
    HouseSeat.objects.filter(pk=seat.pk, ply=seat.ply).update(
        due_at=now() + RETRY_AFTER * failures, lease_until=None, failures=min(failures, 60)
    )


def are_due() -> bool:
    """Whether a seat is to be answered now, by whoever comes."""
    return _due(now()).exists()


def owed_since(at: datetime) -> datetime | None:
    """Since when the house owes the answer that it has owed longest, whoever has noted it."""
    owed = Player.objects.filter(user__username__in=house_accounts.NAMES, to_act=True, live=True)
    owed = owed.filter(Q(house_seat=None) | Q(house_seat__leisurely=False))
    since: datetime | None = owed.filter(since__lt=at).aggregate(since=Min("since"))["since"]
    return since


def _due(at: datetime) -> QuerySet[HouseSeat]:
    free = Q(lease_until=None) | Q(lease_until__lte=at)
    due = HouseSeat.objects.filter(free, due_at__lte=at)
    # To move in a pause would end it; what was noted before waits until somebody ends it.
    return due.filter(player__match__paused_at=None).order_by("due_at", "pk")


def _pause(player: Player, at: datetime) -> timedelta:
    """For how long it lets its opponent wait, drawn by chance alone."""
    pause = LEAST_PAUSE + (LONGEST_PAUSE - LEAST_PAUSE) * secrets.SystemRandom().random() ** 2
    if player.deadline is not None:
        pause = min(pause, max(timedelta(0), player.deadline - at) * MAX_PAUSE_SHARE)
    return pause
