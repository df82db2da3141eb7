"""Locks: one transaction at a time changes a tournament."""

from __future__ import annotations

from games.competitions.tournaments.models import Stage, Tournament


def locked(tournament_id: int) -> Tournament:
    """The tournament, locked until the end of the transaction; raises Tournament.DoesNotExist."""
    return Tournament.objects.select_for_update().get(pk=tournament_id)


def stage_in_play(tournament: Tournament) -> Stage | None:
    """The stage that is played now, read under the tournament's lock; None if there is none."""
    return Stage.objects.filter(tournament=tournament, over_at=None).order_by("-number").first()
