"""Moderation commands of administrators: void a match, reopen it, give more time."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import people
from games.play import events, refusals
from games.play.clocks import adjustment_log, running
from games.play.commands.endings import end_match
from games.play.models.kind import PlyKind
from games.play.models.match import Player, Status
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


def extend(match_id: int, seat: Seat | None, extra: timedelta, reason: str) -> dict[Seat, datetime]:
    """Give more time to the clock of a seat, or to every running one (None).

    Both players are notified, with the reason. Returns the new deadlines. Refused if the clock of
    that seat, or every clock, stands still.
    """
    for _ in range(refusals.MAX_ATTEMPTS):
        match, players, at = fetch_match(match_id)
        chosen = [seat] if seat is not None else [s for s in Seat if players[s].deadline]
        if not chosen or any(players[each].deadline is None for each in chosen):
            raise refusals.no_clock_runs()
        try:
            with command_transaction():
                given = {each: _lengthen(players[each], extra, at, reason) for each in chosen}
                publishing.publish(
                    events.TimeExtended(
                        match=match.pk,
                        ply=match.ply,
                        adjustment=max(entry.pk for _deadline, entry in given.values()),
                        people=people(player.user for player in players.values()),
                    )
                )
            return {each: deadline for each, (deadline, _entry) in given.items()}
        except running.ClockChanged:
            continue
    raise refusals.MatchMovedOn


def _lengthen(
    player: Player, extra: timedelta, at: datetime, reason: str
) -> tuple[datetime, Adjustment]:
    """The new deadline of a running clock, and its entry; raises ClockChanged."""
    # If time is up already, the extra time counts from now.
    least = max(at, player.deadline or at) + extra
    deadline = running.lengthen(player, extra, at, least=least)
    if deadline is None:
        raise running.ClockChanged
    entry = adjustment_log.note(player, Adjustment.Kind.ADMIN, at, span=extra, words=reason)
    return deadline, entry
