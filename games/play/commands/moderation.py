"""Moderation commands of administrators: void a match, reopen it, give more time."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.idempotency.replay import command_transaction
from games.play import refusals
from games.play.clocks import adjustment_log, running
from games.play.commands.endings import end_match
from games.play.models.kind import PlyKind
from games.play.models.match import Status
from games.play.models.time import Adjustment
from games.play.record import match_store
from games.play.record.match_queries import fetch_match
from games.play.record.match_store import Ending
from games.rules.core.basics.pieces import Seat


def void(match_id: int, reason: str) -> None:
    """Void a match: end it without a result, for a reason that both players can read.

    Also works for a match that ended on time.
    """
    ending = Ending(Status.VOID, "", None, note=reason)
    end_match(match_id, lambda state: (PlyKind.VOID, None, ending), after_time=True)


def reopen(match_id: int, reason: str) -> None:
    """Reopen a match that ended on time: the last turn starts again, with the clock it began with.

    The record keeps the ending and gets one more ply. Refused once the armies are public
    (AlreadyPublic).
    """
    for _ in range(refusals.MAX_ATTEMPTS):
        state = match_store.load_match(match_id)
        if not state.match.ended_by_time:
            raise refusals.not_ended_by_time()
        if state.match.is_open(state.at):
            raise refusals.AlreadyPublic
        with command_transaction():
            if match_store.append_ply(state, PlyKind.REOPEN, None, reopens=True) is not None:
                kind = Adjustment.Kind.REOPENED
                adjustment_log.note_match(state.match, kind, state.at, reason)
                return
    raise refusals.MatchMovedOn


def extend(match_id: int, seat: Seat, extra: timedelta) -> datetime:
    """Give more time to a player whose clock runs; returns the new deadline."""
    for _ in range(refusals.MAX_ATTEMPTS):
        _match, players, at = fetch_match(match_id)
        player = players[seat]
        if player.deadline is None:
            raise refusals.no_clock_runs()
        with command_transaction():
            # If time is up already, the extra time counts from now.
            least = max(at, player.deadline) + extra
            deadline = running.lengthen(player, extra, at, least=least)
            if deadline is not None:
                adjustment_log.note(player, Adjustment.Kind.ADMIN, at, span=extra)
                return deadline
    raise refusals.MatchMovedOn
