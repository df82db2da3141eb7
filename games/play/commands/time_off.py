"""Time-off commands: plan and cancel vacations, take them at a deadline, set days off and nights.

Each command is one transaction and may raise a Refusal. It locks the user's row, so that the yearly
budget has one writer at a time.
"""

from __future__ import annotations

import logging
from datetime import UTC, date, datetime, timedelta

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import people
from games.play import refusals, time_controls
from games.play.clocks import adjustment_log, rest, running, vacations
from games.play.events import VacationBegan
from games.play.models.match import Player, Status
from games.play.models.time import Adjustment, Postponement, Vacation
from lib.db_clock import now

logger = logging.getLogger(__name__)

MIN_NOTICE = timedelta(days=1)  # how long before its beginning a vacation has to be planned
MAX_PLANNED_AHEAD = timedelta(days=366)
MAX_PLANNED_VACATIONS = 8  # of a player, not over yet
MIN_TIME_BETWEEN_CHANGES = timedelta(days=7)  # of days off and nights
BATCH_VACATIONS = 100  # announced in one sweep
MAX_VACATIONS_READ = 100  # to find when an absence began; the budget allows no longer one


def take_vacation(player: Player, at: datetime) -> bool:
    """Take vacation for a deadline that has passed; True if the clock has changed.

    Takes the hours needed from the budget, or none: during set-up, in matches without vacations,
    and if the budget does not suffice.
    """
    match, deadline = player.match, player.deadline
    if deadline is None or not match.vacations or match.status != Status.RUNNING:
        return False
    with transaction.atomic():
        user = _locked(player.user)
        vacation = None
        while time_controls.is_late(at, deadline):
            vacation = vacations.vacation_covering(user, deadline)
            if vacation is None:
                transaction.set_rollback(True)
                return False
            deadline = rest.first_outside_rest(vacation.end, rest.parse(user.rest))
        if vacation is not None:
            if running.postpone(player, deadline, at):
                _notify_opponents_once(player, vacation, max(vacation.start, player.deadline or at))
            else:
                # The clock was set since it was read: return the hours.
                transaction.set_rollback(True)
        return True


def plan(user: User, first: date, last: date) -> Vacation:
    """Plan a vacation from the first day through the last, in the player's time zone."""
    with command_transaction():
        user, at = _locked(user), now()
        try:
            start, end = _midnight(user, first), _midnight(user, last + timedelta(days=1))
        except OverflowError:
            # Outside the years that datetime can represent.
            raise refusals.vacation_too_soon_or_far() from None
        coming = Vacation.objects.filter(user=user.pk, end__gt=at)
        if end <= start:
            raise refusals.vacation_ends_first()
        if not at + MIN_NOTICE <= start <= at + MAX_PLANNED_AHEAD:
            raise refusals.vacation_too_soon_or_far()
        if coming.filter(start__lt=end, end__gt=start).exists():
            raise refusals.vacations_overlap()
        if coming.filter(planned=True).count() >= MAX_PLANNED_VACATIONS:
            raise refusals.too_many_vacations(MAX_PLANNED_VACATIONS)
        if end - start > vacations.left(user.pk, start):
            raise refusals.budget_spent(vacations.left(user.pk, start).days)
        vacation = Vacation.objects.create(
            user=user, start=start, end=end, planned=True, unannounced=True
        )
        vacations.extend_away_until(user, end)
        away = vacations.ahead(user, at)
        for player in _running(user, Q(deadline__gte=start, deadline__lt=end)):
            before = player.deadline or start
            moved = rest.first_outside_rest(before, rest.parse(user.rest), away)
            if running.postpone(player, moved, at):
                Postponement.objects.create(
                    vacation=vacation,
                    player=player,
                    deadline=before,
                    clock_version=player.clock_version + 1,
                )
    return vacation


def withdraw(user: User, vacation_id: int) -> None:
    """Cancel a vacation that has not begun; restores the deadlines that it moved."""
    with command_transaction():
        user, at = _locked(user), now()
        vacation = Vacation.objects.filter(
            pk=vacation_id, user=user.pk, planned=True, start__gt=at
        ).first()
        if vacation is None:
            raise refusals.vacation_begun()
        moved = {
            (one.player_id, one.clock_version): one.deadline for one in vacation.postponements.all()
        }
        behind = _running(user, Q(deadline__gte=vacation.end))
        before = [(player, _due(player)) for player in behind]
        vacation.delete()
        for player, with_it in before:
            before_it = moved.get((player.pk, player.clock_version))
            # If the clock was set or days off changed since, compute the deadline again.
            without = before_it or _due(player)
            if before_it or without < with_it:
                # A vacation only moves deadlines after its beginning, so none has passed since.
                running.postpone(player, max(without, vacation.start), at)


def set_rest(user: User, wanted: rest.Rest) -> None:
    """Set days off and nights, for deadlines set from now on; at most once a week."""
    with command_transaction():
        user, at = _locked(user), now()
        if str(wanted) == user.rest:
            return
        if (
            user.rest_changed_at is not None
            and user.rest_changed_at + MIN_TIME_BETWEEN_CHANGES > at
        ):
            raise refusals.rest_changed_lately()
        user.rest, user.rest_changed_at = str(wanted), at
        user.save(update_fields=["rest", "rest_changed_at"])


def announce(at: datetime) -> int:
    """Announce planned vacations that have begun to the opponents; returns their number."""
    begun = Vacation.objects.filter(unannounced=True, start__lte=at).order_by("start")
    announced = 0
    for vacation in begun.select_related("user")[:BATCH_VACATIONS]:
        try:
            announced += _begin(vacation, at)
        except Exception:
            # One vacation that cannot be announced must not keep the sweep from checking clocks.
            logger.exception("The beginning of vacation %s could not be announced.", vacation.pk)
    return announced


def _begin(vacation: Vacation, at: datetime) -> bool:
    with transaction.atomic():
        if not Vacation.objects.filter(pk=vacation.pk, unannounced=True).update(unannounced=False):
            return False
        playing = Player.objects.filter(
            user=vacation.user,
            live=True,
            match__vacations=True,
            match__status=Status.RUNNING,
        )
        # Skipped if it is already over because no sweep ran during it.
        for player in playing.select_related("match") if at < vacation.end else ():
            player.user = vacation.user
            _notify_opponents_once(player, vacation, at)
    return True


def _notify_opponents_once(player: Player, vacation: Vacation, at: datetime) -> None:
    """Log a vacation in the match and notify the opponent, once per absence."""
    kind, match = Adjustment.Kind.VACATION, player.match
    log = Adjustment.objects.filter(match=match, seat=player.seat, kind=kind)
    if not log.filter(at__gte=_away_since(player.user, vacation)).exists():
        adjustment_log.note(player, kind, at)
        others = Player.objects.filter(match=match).exclude(pk=player.pk).select_related("user")
        concerned = people(other.user for other in others)
        publishing.publish(VacationBegan(match=match.pk, vacation=vacation.pk, people=concerned))


def _away_since(user: User, vacation: Vacation) -> datetime:
    """The beginning of an absence: of this vacation, or of earlier ones with only rests between."""
    pause, since = rest.parse(user.rest), vacation.start
    earlier = Vacation.objects.filter(user=user.pk, end__lte=since).order_by("-end")
    for start, end in earlier.values_list("start", "end")[:MAX_VACATIONS_READ]:
        if rest.first_outside_rest(end, pause) < since:
            break
        since = start
    return since


def _running(user: User, which: Q) -> list[Player]:
    """The player's seats with running clocks, in matches that allow vacations."""
    own_seats = Player.objects.filter(
        which, user=user.pk, live=True, to_act=True, match__vacations=True
    )
    run = own_seats.filter(since__isnull=False, bank__isnull=False)
    players = list(run.select_related("match").order_by("pk"))
    for player in players:
        player.user = user
    return players


def _due(player: Player) -> datetime:
    """The deadline by the clock and the current vacations and days off."""
    assert player.since is not None and player.bank is not None  # noqa: S101 - it runs
    return running.deadline_after(player, player.since, player.bank)


def _midnight(user: User, day: date) -> datetime:
    """The beginning of that day in the player's time zone, as an instant in UTC.

    Not in the zone itself: Python subtracts two instants of one zone by wall-clock time.
    """
    return datetime(day.year, day.month, day.day, tzinfo=user.zoneinfo).astimezone(UTC)


def _locked(user: User) -> User:
    """The user, read again with their row locked until the transaction ends."""
    locked: User = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    return locked
