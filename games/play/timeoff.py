"""Everything that changes when a player rests: vacations, planned holidays, days off and nights.

Each command is one transaction, done whole or not at all, and may raise Refusal. It holds the row
of the player, so that one budget has one writer.
"""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime, timedelta

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.play import adjustments, clock, clocks, refusals, rest, vacations
from games.play.models.match import Player, Status
from games.play.models.time import Adjustment, Vacation
from games.relay import outbox
from games.relay.moment import now
from games.relay.once import deed

logger = logging.getLogger(__name__)

NOTICE = timedelta(days=1)  # a holiday is entered this long ahead at least
HORIZON = timedelta(days=366)
MOST = 8  # holidays ahead of a player
BETWEEN = timedelta(days=7)  # two changes of days off and nights
BATCH = 100  # holidays announced in one go
LATELY = 100  # vacations looked back at; a budget of thirty days has no more nights


def cover(player: Player, at: datetime) -> bool:
    """Let a vacation cover the deadline that has passed; whether the clock is another one now.

    It takes as many hours as are needed, or none: in set-ups, where no vacations were agreed, and
    where the budget does not suffice.
    """
    match, deadline = player.match, player.deadline
    if deadline is None or not match.vacations or match.status != Status.RUNNING:
        return False
    with transaction.atomic():
        user = _locked(player.user)
        vacation = None
        while clock.is_late(at, deadline):
            vacation = vacations.cover(user, deadline)
            if vacation is None:
                transaction.set_rollback(True)
                return False
            deadline = rest.spare(vacation.end, rest.read(user.rest))
        if vacation is not None:
            if clocks.postpone(player, deadline, at):
                _announce(player, vacation, max(vacation.start, player.deadline or at))
            else:
                # Somebody else has set the clock: no hour is taken for a deadline of the past.
                transaction.set_rollback(True)
        return True


def plan(user: User, first: date, last: date) -> Vacation:
    """Enter a holiday from the first day to the last, by the player's own clocks."""
    with deed():
        user, at = _locked(user), now()
        try:
            start, end = _midnight(user, first), _midnight(user, last + timedelta(days=1))
        except OverflowError:
            # The calendar ends, or begins, there.
            raise refusals.holiday_too_soon_or_far() from None
        coming = Vacation.objects.filter(user=user.pk, end__gt=at)
        if end <= start:
            raise refusals.holiday_ends_first()
        if not at + NOTICE <= start <= at + HORIZON:
            raise refusals.holiday_too_soon_or_far()
        if coming.filter(start__lt=end, end__gt=start).exists():
            raise refusals.holidays_overlap()
        if coming.filter(planned=True).count() >= MOST:
            raise refusals.too_many_holidays(MOST)
        if end - start > vacations.left(user.pk, start):
            raise refusals.budget_spent(vacations.left(user.pk, start) // vacations.HOUR)
        holiday = Vacation.objects.create(
            user=user, start=start, end=end, planned=True, awaited=True
        )
        vacations.tell(user, end)
        for player in _running(user, Q(deadline__gte=start, deadline__lt=end)):
            away = vacations.ahead(user, at)
            moved = rest.spare(player.deadline or start, rest.read(user.rest), away)
            clocks.postpone(player, moved, at)
    return holiday


def withdraw(user: User, holiday_id: int) -> None:
    """Take back a holiday that has not begun, its hours and, up to a respite, its deadlines."""
    with deed():
        user, at = _locked(user), now()
        holiday = Vacation.objects.filter(
            pk=holiday_id, user=user.pk, planned=True, start__gt=at
        ).first()
        if holiday is None:
            raise refusals.holiday_begun()
        behind = _running(user, Q(deadline__gte=holiday.end))
        before = [(player, _due(player)) for player in behind]
        holiday.delete()
        for player, with_it in before:
            without = _due(player)
            # By what it is worth now: days off may be others than on the day it was planned.
            if without < with_it:
                least = clocks.spared(player, at + player.match.budget().respite, at)
                clocks.postpone(player, max(without, least), at)


def set_rest(user: User, wanted: rest.Rest) -> None:
    """Choose days off and nights, for the deadlines that are set from now on; once a week."""
    with deed():
        user, at = _locked(user), now()
        if str(wanted) == user.rest:
            return
        if user.rest_changed_at is not None and user.rest_changed_at + BETWEEN > at:
            raise refusals.rest_changed_lately()
        user.rest, user.rest_changed_at = str(wanted), at
        user.save(update_fields=["rest", "rest_changed_at"])


def announce(at: datetime) -> int:
    """Tell the opponents of those whose planned holidays have begun; how many holidays."""
    begun = Vacation.objects.filter(awaited=True, start__lte=at).order_by("start")
    told = 0
    for holiday in begun.select_related("user")[:BATCH]:
        try:
            told += _begin(holiday, at)
        except Exception:
            # One holiday that cannot be told of must not keep clocks from being looked at.
            logger.exception("The beginning of vacation %s could not be told.", holiday.pk)
    return told


def _begin(holiday: Vacation, at: datetime) -> bool:
    with transaction.atomic():
        if not Vacation.objects.filter(pk=holiday.pk, awaited=True).update(awaited=False):
            return False
        playing = Player.objects.filter(
            user=holiday.user, live=True, match__vacations=True, match__status=Status.RUNNING
        )
        # Not where it is over already: nobody was there to tell of it.
        for player in playing.select_related("match") if at < holiday.end else ():
            player.user = holiday.user
            _announce(player, holiday, at)
    return True


def _announce(player: Player, vacation: Vacation, at: datetime) -> None:
    """Tell the opponent and the match's log, once for each match that an absence touches."""
    kind, match = Adjustment.Kind.VACATION, player.match
    log = Adjustment.objects.filter(match=match, seat=player.seat, kind=kind)
    if not log.filter(at__gte=_away_since(player.user, vacation)).exists():
        adjustments.note(player, kind, at)
        others = Player.objects.filter(match=match).exclude(pk=player.pk)
        for user_id in others.values_list("user", flat=True):
            outbox.post("vacation-began", user=user_id, match=match.pk, vacation=vacation.pk)


def _away_since(user: User, vacation: Vacation) -> datetime:
    """When the absence began that this vacation goes on with: only rests lie between."""
    pause, since = rest.read(user.rest), vacation.start
    earlier = Vacation.objects.filter(user=user.pk, end__lte=since).order_by("-end")
    for start, end in earlier.values_list("start", "end")[:LATELY]:
        if rest.spare(end, pause) < since:
            break
        since = start
    return since


def _running(user: User, which: Q) -> list[Player]:
    """The running clocks of a player in matches that allow vacations."""
    mine = Player.objects.filter(which, user=user.pk, to_act=True, match__vacations=True)
    run = mine.filter(since__isnull=False, bank__isnull=False)
    players = list(run.select_related("match").order_by("pk"))
    for player in players:
        player.user = user
    return players


def _due(player: Player) -> datetime:
    assert player.since is not None and player.bank is not None  # noqa: S101 - it runs
    return clocks.until(player, player.since, player.bank)


def _midnight(user: User, day: date) -> datetime:
    """The beginning of that day by the player's clocks.

    In UTC: between two instants of one zone, Python counts the hours that its clocks show.
    """
    return datetime(day.year, day.month, day.day, tzinfo=user.zoneinfo).astimezone(UTC)


def _locked(user: User) -> User:
    return User.objects.select_for_update(no_key=True).get(pk=user.pk)
