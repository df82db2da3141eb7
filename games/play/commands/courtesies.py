"""Clock commands of the players: give the opponent a day, agree on a pause, and resume.

Each command is one transaction and may raise a Refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import F

from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import Event, people
from games.play import events, refusals, time_controls
from games.play.clocks import adjustment_log, outages, running
from games.play.commands.offers import may_offer_again
from games.play.models.match import Match, Player, Status
from games.play.models.time import Adjustment
from games.play.record.match_queries import MatchRow, fetch_match
from games.play.record.sealed import plans
from games.rules.core.basics.pieces import Seat

if TYPE_CHECKING:
    from accounts.models import User

MAX_DEADLINE_AHEAD = timedelta(days=60)  # of a clock that can still be given a day


def give_day(match_id: int, user: User) -> None:
    """Add a day to the opponent's running clock."""

    def give(match_row: MatchRow, seat: Seat) -> bool:
        other, at = match_row.players[seat.other], match_row.at
        if other.deadline is None:
            raise refusals.no_clock_runs()
        if other.deadline + time_controls.DAY > at + MAX_DEADLINE_AHEAD:
            raise refusals.enough_time_already()
        # A longer bank may still end in the same rest, so the deadline moves by at least a day. If
        # time is up, the day counts from now.
        least = max(at, other.deadline) + time_controls.DAY
        if running.lengthen(other, time_controls.DAY, at, least=least) is None:
            return False
        adjustment_log.note(other, Adjustment.Kind.GIFT, at, span=time_controls.DAY)
        _publish(events.TimeGiven, match_row, other)
        return True

    _retry_while_changed(match_id, user, give)


def offer_pause(match_id: int, user: User) -> None:
    """Offer a pause, valid until the sender plays; accepts the opponent's offer if there is one.

    Unless it is accepted, another one can be offered after the sender's next three moves.
    """

    def offer(match_row: MatchRow, seat: Seat) -> bool:
        match = match_row.match
        if match.pause_offer == seat.other:
            return _pause(match_row, seat)
        if match.pause_offer == seat:
            raise refusals.pause_already_offered()
        me = match_row.players[seat]
        if not may_offer_again(match.pk, seat, me.pause_offered_at):
            raise refusals.pause_offered_lately()
        free = Match.objects.filter(pk=match.pk, ply=match.ply, pause_offer=None, paused_at=None)
        if not free.update(pause_offer=seat, pauses_offered=F("pauses_offered") + 1):
            return False
        Player.objects.filter(pk=me.pk).update(pause_offered_at=match.ply)
        # A declined offer changes no clock, and the opponent may offer one at the same ply.
        count = Match.objects.values_list("pauses_offered", flat=True).get(pk=match.pk)
        _publish(events.PauseOffered, match_row, match_row.players[seat.other], offer=count)
        return True

    outages.credit_match(match_id)  # This call may have accepted an offer; see accept_pause.
    _retry_while_changed(match_id, user, _unless_paused(offer))


def accept_pause(match_id: int, user: User) -> None:
    """Accept a pause: both clocks stop and keep the time left on them."""

    def accept(match_row: MatchRow, seat: Seat) -> bool:
        if match_row.match.pause_offer != seat.other:
            raise refusals.no_pause_offer()
        return _pause(match_row, seat)

    # Outages are credited to running clocks only, so credit them before the clocks stop.
    outages.credit_match(match_id)
    _retry_while_changed(match_id, user, _unless_paused(accept))


def decline_pause(match_id: int, user: User) -> None:
    """Decline the opponent's offer of a pause."""

    def decline(match_row: MatchRow, seat: Seat) -> bool:
        if match_row.match.pause_offer != seat.other:
            raise refusals.no_pause_offer()
        offered = Match.objects.filter(pk=match_id, pause_offer=seat.other)
        if not offered.update(pause_offer=None):
            return False
        plans.wake(match_id, match_row.match.turn_ply)
        return True

    _retry_while_changed(match_id, user, decline)


def resume(match_id: int, user: User) -> None:
    """End a pause, as either player may: clocks run on with the time left, at least a respite."""

    def end(match_row: MatchRow, seat: Seat) -> bool:
        match, at = match_row.match, match_row.at
        if match.paused_at is None:
            raise refusals.not_paused()
        paused = Match.objects.filter(pk=match_id, ply=match.ply, paused_at=match.paused_at)
        if not paused.update(paused_at=None):
            return False
        for player in _to_act(match_row):
            if not running.resume(player, at, least=at + match.budget().respite):
                raise running.ClockChanged
        plans.wake(match_id, match.turn_ply)
        adjustment_log.note_match(match, Adjustment.Kind.RESUMED, at)
        other, version = match_row.players[seat.other], _clock_version(match_row)
        _publish(events.MatchResumed, match_row, other, clock_version=version)
        return True

    _retry_while_changed(match_id, user, end)


def _pause(match_row: MatchRow, seat: Seat) -> bool:
    match, at = match_row.match, match_row.at
    free = Match.objects.filter(pk=match.pk, ply=match.ply, paused_at=None)
    if not free.update(paused_at=at, pause_offer=None):
        return False
    for player in _to_act(match_row):
        if not running.pause(player, at):
            raise running.ClockChanged
    Player.objects.filter(pk=match_row.players[seat.other].pk).update(pause_offered_at=None)
    adjustment_log.note_match(match, Adjustment.Kind.PAUSED, at)
    other, version = match_row.players[seat.other], _clock_version(match_row)
    _publish(events.MatchPaused, match_row, other, clock_version=version)
    return True


def _unless_paused(act: Callable[[MatchRow, Seat], bool]) -> Callable[[MatchRow, Seat], bool]:
    """Run a command only in running matches with a clock that are not paused."""

    def judge(match_row: MatchRow, seat: Seat) -> bool:
        match = match_row.match
        if match.status != Status.RUNNING or match.budget().bank is None:
            raise refusals.nothing_to_pause()
        if not match.has_pauses:
            raise refusals.no_pauses_here()
        if match.paused_at is not None:
            raise refusals.paused_already()
        return act(match_row, seat)

    return judge


def _retry_while_changed(match_id: int, user: User, act: Callable[[MatchRow, Seat], bool]) -> None:
    """Run `act` on the current match, and again if a concurrent write came first.

    Raises NotSeated, MatchIsOver, and MatchMovedOn after MAX_ATTEMPTS attempts.
    """
    for _ in range(refusals.MAX_ATTEMPTS):
        match_row = fetch_match(match_id)
        seats = [seat for seat, player in match_row.players.items() if player.user_id == user.pk]
        if not seats:
            raise refusals.NotSeated
        if not match_row.match.is_live:
            raise refusals.MatchIsOver
        try:
            with command_transaction():
                if act(match_row, seats[0]):
                    return
        except running.ClockChanged:
            continue
    raise refusals.MatchMovedOn


def _to_act(match_row: MatchRow) -> list[Player]:
    return [player for player in match_row.players.values() if player.to_act]


def _clock_version(match_row: MatchRow) -> int:
    """Distinguishes several pauses at one ply."""
    return sum(player.clock_version for player in match_row.players.values())


def _publish(
    event: Callable[..., Event], match_row: MatchRow, player: Player, **numbers: int
) -> None:
    match, concerned = match_row.match, people([player.user])
    publishing.publish(event(match=match.pk, ply=match.ply, people=concerned, **numbers))
