"""Opens the matches of a stage, in batches."""

from __future__ import annotations

from collections import Counter

from django.db import transaction
from django.db.models import Q

from games.competitions.tournaments.commands import locking
from games.competitions.tournaments.models import Pairing, Stage, State
from games.play.commands.matches import open_match
from games.rules.core.basics.pieces import Seat

BATCH = 50  # pairings opened in one transaction


def open_batch(stage_id: int) -> int:
    """Open the next pairings of a stage that may be opened by now; returns how many.

    By (round, board), each as soon as both players have fewer than `at_once` live units of the
    stage. Opening and recording it are one transaction. The stage's flag is cleared once
    nothing more can be opened.
    """
    with transaction.atomic():
        tournament = locking.locked(Stage.objects.get(pk=stage_id).tournament_id)
        stage = Stage.objects.get(pk=stage_id)
        if not stage.to_open:
            return 0
        due = []
        if tournament.state == State.RUNNING and stage.over_at is None:
            due = _due(stage, tournament.at_once)
        for pairing in due[:BATCH]:
            seats = {
                Seat.SOUTH: pairing.south.entry.user,
                Seat.NORTH: pairing.north.entry.user,
            }
            pairing.match = open_match(tournament.terms, seats, event=tournament.event_key)
            pairing.waiting = False
            pairing.save(update_fields=["match", "waiting"])
        if len(due) <= BATCH:
            Stage.objects.filter(pk=stage_id).update(to_open=False)
    return len(due[:BATCH])


def _due(stage: Stage, at_once: int) -> list[Pairing]:
    """The waiting pairings that may be opened, in order."""
    pairings = Pairing.objects.filter(group__stage=stage)
    waiting = pairings.filter(waiting=True).order_by("round", "board", "group__number")
    waiting = waiting.select_related("south__entry__user", "north__entry__user")
    if not at_once:
        return list(waiting[: BATCH + 1])
    live = pairings.filter(match__isnull=False).filter(
        Q(match__finished_at=None) | Q(match__twin__isnull=False, match__twin__finished_at=None)
    )
    busy = Counter(lot for pair in live.values_list("south", "north") for lot in pair)
    due = []
    for pairing in waiting:
        both = (pairing.south_id, pairing.north_id)
        if all(busy[lot] < at_once for lot in both):
            busy.update(both)
            due.append(pairing)
    return due
