"""Commands that end a match: resign, abort, draw by agreement, time-out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import F

from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import people
from games.play import ports, refusals, time_controls
from games.play.clocks import outages
from games.play.commands import time_off
from games.play.commands.offers import may_offer_again
from games.play.events import DrawDeclined, DrawOffered
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player, ServiceTermination, Status
from games.play.record import match_store
from games.play.record.match_store import Ending, MatchState
from games.play.record.sealed import plans
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination, Termination
from games.rules.core.ruleset.base import Ruleset

if TYPE_CHECKING:
    from accounts.models import User


def resign(match_id: int, user: User, *, excused: bool = False) -> None:
    """Resign: the opponent wins (C11). Refused before the first move, when one aborts instead.

    `excused`: somebody else decided it, so a player with fewer than two moves has missed nothing.
    """

    def end(state: MatchState) -> tuple[PlyKind, Seat, Ending]:
        seat = state.seat_of(user.pk)
        if state.unplayed:
            raise refusals.nothing_to_resign()
        ending = won_by(state.rules, seat.other, OffBoardTermination.RESIGNED)
        return PlyKind.RESIGN, seat, replace(ending, excused=excused)

    end_match(match_id, end)


def abort(match_id: int, user: User) -> None:
    """Abort a match before its first move, without a result."""

    def end(state: MatchState) -> tuple[PlyKind, Seat, Ending]:
        seat = state.seat_of(user.pk)
        if not state.unplayed:
            raise refusals.too_late_to_abort()
        return PlyKind.ABORT, seat, Ending(Status.CANCELLED, "", ServiceTermination.ABORTED)

    end_match(match_id, end)


def accept_draw(match_id: int, user: User) -> None:
    """Accept the opponent's draw offer: the match is a draw (C11)."""

    def end(state: MatchState) -> tuple[PlyKind, Seat, Ending]:
        seat = state.seat_of(user.pk)
        if state.match.draw_offer != seat.other:
            raise refusals.no_draw_offer()
        return PlyKind.DRAW, seat, Ending(Status.FINISHED, "draw", OffBoardTermination.AGREED)

    end_match(match_id, end)


def offer_draw(match_id: int, user: User) -> None:
    """Offer a draw, valid until the sender's next turn (C11); accepts one the opponent offered.

    Another one can be offered after the sender's next three moves.
    """
    for _ in range(refusals.MAX_ATTEMPTS):
        state = match_store.load_match(match_id)
        match, seat = state.match, state.seat_of(user.pk)
        if match.status != Status.RUNNING:
            raise refusals.no_draw_before_play() if match.is_live else refusals.MatchIsOver()
        if match.draw_offer == seat.other:
            accept_draw(match_id, user)
            return
        if match.draw_offer == seat:
            raise refusals.DrawAlreadyOffered
        me = state.players[seat]
        if not may_offer_again(match_id, seat, me.draw_offered_at):
            raise refusals.draw_offered_lately()
        with command_transaction():
            free = Match.objects.filter(pk=match_id, ply=match.ply, draw_offer=None)
            if free.update(draw_offer=seat, draws_offered=F("draws_offered") + 1):
                Player.objects.filter(pk=me.pk).update(draw_offered_at=match.ply)
                _publish_offer(state, seat.other, DrawOffered)
                return
    raise refusals.MatchMovedOn


def decline_draw(match_id: int, user: User) -> None:
    """Decline the opponent's draw offer; they are notified."""
    state = match_store.load_match(match_id)
    seat = state.seat_of(user.pk)
    with command_transaction():
        match = Match.objects.filter(pk=match_id, status=Status.RUNNING, draw_offer=seat.other)
        if not match.update(draw_offer=None):
            raise refusals.no_draw_offer()
        plans.wake(match_id, state.match.turn_ply)
        _publish_offer(state, seat.other, DrawDeclined)


def claim_time(match_id: int) -> bool:
    """End a match on time: a loss in play (C11), no result if a player did not set up.

    True if this call ended it. Idempotent. Leaves a match that waits for the opponent's claim.
    """

    def end(state: MatchState) -> tuple[PlyKind, Seat | None, Ending] | None:
        late = [
            seat
            for seat, player in state.players.items()
            if player.to_act
            and time_controls.is_late(state.at - time_controls.DEADLINE_GRACE, player.deadline)
        ]
        if not late or state.match.waits_for_claim:
            return None
        if state.match.status == Status.SETUP:
            return PlyKind.CANCEL, None, Ending(Status.CANCELLED, "", ServiceTermination.NO_SHOW)
        return PlyKind.TIME, None, won_by(state.rules, late[0].other, OffBoardTermination.TIME)

    try:
        return end_match(match_id, end)
    except (refusals.MatchIsOver, refusals.MatchMovedOn):
        return False


def claim_win(match_id: int, user: User) -> None:
    """Claim the win because the opponent's time is up, in matches that wait for a claim."""
    outages.credit_match(match_id)

    def end(state: MatchState) -> tuple[PlyKind, Seat, Ending]:
        seat = state.seat_of(user.pk)
        other = state.players[seat.other]
        late = other.to_act and time_controls.is_late(
            state.at - time_controls.DEADLINE_GRACE, other.deadline
        )
        if not state.match.waits_for_claim or not late or _has_unread(other):
            raise refusals.time_not_up()
        if time_off.take_vacation(other, state.at):
            raise refusals.time_not_up()
        return PlyKind.TIME, seat, won_by(state.rules, seat, OffBoardTermination.TIME)

    end_match(match_id, end)


def _has_unread(player: Player) -> bool:
    """Whether the player sent something before their deadline that has not been read yet."""
    arrived = ports.first_unread([player.user_id]).get(player.user_id)
    return arrived is not None and player.deadline is not None and arrived <= player.deadline


def end_match(
    match_id: int,
    judge: Callable[[MatchState], tuple[PlyKind, Seat | None, Ending] | None],
    *,
    after_time: bool = False,
) -> bool:
    """End a match as `judge` decides on its current state; False if `judge` returns None.

    Retried if the match moves on in between. With `after_time`, a match that ended on time may get
    another ending. Raises MatchIsOver and MatchMovedOn.
    """
    for _ in range(refusals.MAX_ATTEMPTS):
        state = match_store.load_match(match_id)
        if not state.match.is_live and not (after_time and state.match.ended_by_time):
            raise refusals.MatchIsOver
        verdict = judge(state)
        if verdict is None:
            return False
        kind, seat, ending = verdict
        if match_store.append_ply(state, kind, seat, ending=ending) is not None:
            return True
    raise refusals.MatchMovedOn


def won_by(rules: Ruleset, winner: Seat, reason: Termination) -> Ending:
    """The ending of a match that `winner` won."""
    return Ending(Status.FINISHED, rules.seat_letters[winner], reason)


def _publish_offer(
    state: MatchState, seat: Seat, event: type[DrawOffered] | type[DrawDeclined]
) -> None:
    """Publish an event of a draw offer; its number distinguishes it from others at the same ply."""
    match, concerned = state.match, people([state.players[seat].user])
    # Our own update locks the row, so the count cannot have changed since.
    offer = Match.objects.values_list("draws_offered", flat=True).get(pk=match.pk)
    publishing.publish(event(match=match.pk, ply=match.ply, offer=offer, people=concerned))
