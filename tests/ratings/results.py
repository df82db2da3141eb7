"""Helpers that make finished rated matches without playing them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from accounts.models import User
from games.outbox.delivery import dispatcher
from games.play.commands import finality
from games.play.models.match import Match, Player, ServiceTermination, Status
from games.ratings import numbering
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination
from lib.db_clock import frozen_at

START = datetime(2026, 1, 1, tzinfo=UTC)


def day(days: float) -> datetime:
    return START + timedelta(days=days)


def finished(
    south: User,
    north: User,
    result: str,
    at: datetime,
    *,
    reason: str = OffBoardTermination.RESIGNED,
    preset: str = "lattaque-en",
    turns: int = 10,
    moved_at: datetime | None = None,
    rated: bool = True,
) -> Match:
    """A match that ended at an instant; `result` is S, N or draw."""
    match = Match.objects.create(
        preset=preset,
        pace="3d",
        setup_pace="5d",
        status=Status.FINISHED,
        result=result,
        reason=reason,
        rated=rated,
        created_at=at - timedelta(days=5),
        finished_at=at,
    )
    for seat, user in ((Seat.SOUTH, south), (Seat.NORTH, north)):
        Player.objects.create(
            match=match,
            user=user,
            seat=seat,
            live=False,
            turns=turns,
            moved_at=moved_at or at - timedelta(hours=1),
        )
    return match


def forfeited(match: Match, by: str) -> Match:
    """Turn it into a match that was aborted by these seats."""
    fields = {"status": Status.CANCELLED, "result": "", "reason": ServiceTermination.ABORTED}
    Match.objects.filter(pk=match.pk).update(**fields, forfeited_by=by)
    match.players.update(turns=0, moved_at=None)
    match.refresh_from_db()
    return match


def as_set(first: Match, second: Match) -> Match:
    """Make two matches a set; returns the first."""
    for match, twin in ((first, second), (second, first)):
        match.twin = twin
        match.save(update_fields=["twin"])
    return first


def count_at(instant: datetime) -> int:
    """Make final what is final by then, and count it; returns how many units got a number."""
    with frozen_at(instant):
        finality.sweep()
        while dispatcher.drain():
            pass
        return numbering.count()
