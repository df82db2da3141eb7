"""Circuit breaker: holds back losses on time while implausibly many players would lose.

The cause may be a wrong clock, an unnoticed outage, or a bug; it is hard to undo lost matches. The
breaker counts players, not matches: one player who has left loses many matches on time, but a fault
makes many players lose. At most `allowance` players may lose within two hours. If more would, the
breaker opens and holds the late players, in all their matches, until an administrator closes it.

Other players still lose on time while it is open, but an hour late, so that a fault that continues
is noticed before. As soon as those who lost and those who are late again exceed the allowance, the
late ones are held as well. So a fault costs at most one allowance before it is noticed, and one
more a day. A user who opens the breaker on purpose, by matches among their own accounts, holds only
these accounts and the players who happen to be late within the same hour.
"""

import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.db.models.functions import TruncHour

from accounts.models import User
from games.outbox.delivery.admin_emails import send_to_admins
from games.play import time_controls
from games.play.models.match import Player, Status
from games.play.models.time import Halt, HeldPlayer, LossOnTime
from lib.db_clock import now

logger = logging.getLogger(__name__)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WINDOW = 2 * HOUR  # the window in which players are counted
HALT_WINDOW = DAY  # while the breaker is open
HALT_DELAY = HOUR  # of all losses while it is open
RECHECK_AFTER = timedelta(minutes=5)  # of clocks that are late and may not end yet
USUAL_WINDOW = timedelta(days=30)
PERCENTILE_RANK = 8  # the 8th highest of 720 hours is their 99th percentile
ALERT_RETRY = timedelta(minutes=10)  # after an e-mail that could not be sent

ALERT = (
    "Time-outs are held back: %d players would have lost on time, and %d within two hours are "
    "plausible. They lose nothing on time until somebody resumes that on the admin page “stops of "
    "time-outs”."
)


def open_halt() -> Halt | None:
    """The halt in force, if the breaker is open."""
    return Halt.objects.filter(in_force=True).first()


def allowed(late: Sequence[Player], at: datetime) -> list[Player]:
    """The players of `players` who may lose on time now; opens the breaker if they are too many."""
    if not late:
        return []
    released, halt = _released_at(), open_halt()
    vouched = [player for player in late if _is_vouched(player, released)]
    held = set(halt.held.values_list("user_id", flat=True)) if halt else set()
    new = [p for p in late if not _is_vouched(p, released) and p.user_id not in held]
    if not new:
        return vouched
    users = {player.user_id for player in new}
    begin = at - WINDOW
    if halt:
        begin = max(at - HALT_WINDOW, halt.opened_at)
        users |= _delayed(at) - held
    lost = _losers(since=begin if released is None else max(begin, released))
    if len(users | lost) > (most := allowance(at)):
        _hold(users, halt, most, at)
        return vouched
    if halt:
        new = [p for p in new if p.deadline is None or p.deadline + HALT_DELAY <= at]
    return vouched + new


def note_losses(ended: Iterable[Player], at: datetime) -> None:
    """Record that these players lost on time, for later counts, except losses already accepted."""
    released = _released_at()
    rows = [
        LossOnTime(match_id=player.match_id, user_id=player.user_id, at=at)
        for player in ended
        if not _is_vouched(player, released)
    ]
    if rows:
        LossOnTime.objects.bulk_create(rows)


def allowance(at: datetime) -> int:
    """The number of players who may lose on time within two hours.

    The usual number is the 99th percentile of the last 30 days by the hour. A club with less
    history has a minimum by the number of its players: many who try a new club never return.
    """
    lost = LossOnTime.objects.filter(at__gt=at - USUAL_WINDOW, at__lt=_hour(at))
    hours = lost.annotate(hour=TruncHour("at")).values("hour")
    counts = hours.annotate(players=Count("user", distinct=True)).order_by("-players")
    highest = list(counts.values_list("players", flat=True)[:PERCENTILE_RANK])
    usual = highest[-1] if len(highest) == PERCENTILE_RANK else 0
    return max(settings.TIMEOUTS_FACTOR * usual, floor(_players_on_the_clock()))


def floor(players: int) -> int:
    """The minimum of the allowance, for this number of players on the clock."""
    return int(settings.TIMEOUTS_MIN_PLAYERS + players * settings.TIMEOUTS_PERCENT / 100)


def alert_admins(at: datetime) -> None:
    """E-mail ADMINS about the halt in force; retried until it is sent.

    If the worker dies in between, the e-mail is sent again: twice is better than never.
    """
    halt = Halt.objects.filter(in_force=True, alert_at__lte=at).first()
    if halt is None:
        return
    unclaimed = Halt.objects.filter(pk=halt.pk, alert_at=halt.alert_at)
    if not unclaimed.update(alert_at=at + ALERT_RETRY):
        return
    try:
        send_to_admins("Time-outs are held back", ALERT % (halt.overdue, allowance(halt.opened_at)))
    except Exception as error:
        # Its text may contain an address.
        kind = type(error).__name__
        logger.error("The e-mail about the stop of the sweep could not be sent (%s).", kind)
        return
    Halt.objects.filter(pk=halt.pk).update(alert_at=None)


def settled_losses() -> Q:
    """The losses that may be deleted, as no open decision depends on them.

    While a halt is in force, administrators need the losses shortly before it and since.
    """
    halt = open_halt()
    return Q() if halt is None else Q(at__lt=halt.opened_at - WINDOW)


def release(halt: Halt, user: User) -> bool:
    """Close the breaker, so that the sweep continues; False if it was already closed."""
    open_halts = Halt.objects.filter(pk=halt.pk, in_force=True)
    return bool(open_halts.update(in_force=None, released_at=now(), released_by=user))


def _hold(users: Collection[int], halt: Halt | None, most: int, at: datetime) -> None:
    """Hold these players, by the halt in force or by a new one."""
    with transaction.atomic():
        if halt is None:
            Halt.objects.bulk_create(
                [Halt(opened_at=at, overdue=len(users), alert_at=at)], ignore_conflicts=True
            )
            logger.error(ALERT, len(users), most)
        halt = Halt.objects.get(in_force=True)
        rows = [HeldPlayer(halt=halt, user_id=user_id) for user_id in users]
        HeldPlayer.objects.bulk_create(rows, ignore_conflicts=True)
        Halt.objects.filter(pk=halt.pk).update(overdue=halt.held.count())


def _released_at() -> datetime | None:
    """When an administrator last released a halt, and so accepted all deadlines passed by then."""
    released = Halt.objects.exclude(released_at=None).order_by("-released_at").first()
    return released.released_at if released else None


def _is_vouched(player: Player, released: datetime | None) -> bool:
    """Whether an administrator has already accepted this player's loss."""
    return released is not None and player.deadline is not None and player.deadline <= released


def _delayed(at: datetime) -> set[int]:
    """The players whom an earlier sweep has found to be late."""
    late = Player.objects.filter(
        check_at__gt=at,
        check_at__lte=at + RECHECK_AFTER,
        deadline__lt=at - time_controls.DEADLINE_GRACE,
        match__status=Status.RUNNING,
    )
    return set(late.values_list("user_id", flat=True))


def _losers(since: datetime) -> set[int]:
    """The players who have lost on time since `since`."""
    return set(LossOnTime.objects.filter(at__gte=since).values_list("user_id", flat=True))


def _players_on_the_clock() -> int:
    running = Player.objects.filter(deadline__isnull=False, match__status=Status.RUNNING, live=True)
    return running.aggregate(players=Count("user", distinct=True))["players"] or 0


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)
