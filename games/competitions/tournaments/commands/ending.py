"""Ends a stage once its tables are full: the final begins, or the tournament is over."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from games.competitions.draw import lots
from games.competitions.ranking.standings import Status
from games.competitions.tournaments import tables
from games.competitions.tournaments.commands import locking
from games.competitions.tournaments.commands.drawing import FINAL_SEED, start_stage
from games.competitions.tournaments.events import TournamentAdvanced, TournamentOver
from games.competitions.tournaments.models import (
    ENTRY_ENDED,
    Entry,
    Lot,
    Stage,
    State,
    Tournament,
)
from games.outbox import publishing
from games.outbox.events import Person
from games.people import leaving
from lib.db_clock import now


def end_if_complete(stage_id: int) -> bool:
    """End a stage if no sign is missing; True if it did."""
    with transaction.atomic():
        tournament = locking.locked(Stage.objects.get(pk=stage_id).tournament_id)
        stage, at = Stage.objects.get(pk=stage_id), now()
        Stage.objects.filter(pk=stage_id).update(to_check=False)
        if stage.over_at is not None or tournament.state != State.RUNNING:
            return False
        groups = tables.groups_of(tournament, stage.number)
        if any(pairing.is_open for group in groups for pairing in group.pairings):
            return False
        flags = {"to_open": False, "to_check": False, "to_judge": False}
        Stage.objects.filter(pk=stage_id).update(over_at=at, **flags)
        finalists = _qualify(tournament, stage, groups)
        if len(finalists) > 1:
            _start_final(tournament, finalists, at)
        else:
            _finish(tournament, at)
        players = [row.lot.entry.user_id for group in groups for row in group.rows]
        leaving.check_later(ENTRY_ENDED, players, stage=stage.pk)
    return True


def _qualify(tournament: Tournament, stage: Stage, groups: list[tables.GroupTable]) -> list[Entry]:
    """Mark who goes on: the first places not withdrawn, ties in the order of lots.

    Nobody does from a last stage, or from the only group.
    """
    if stage.number == tournament.stages or len(groups) == 1:
        return []
    chosen: list[Lot] = []
    for group in groups:
        playing = [row.lot for row in group.rows if row.line.status == Status.IN]
        chosen += playing[: tournament.places]
    Lot.objects.filter(pk__in=[lot.pk for lot in chosen]).update(qualified=True)
    return [lot.entry for lot in chosen]


def _start_final(tournament: Tournament, finalists: list[Entry], at: datetime) -> None:
    seed = FINAL_SEED.format(seed=tournament.seed) if tournament.seed else lots.new_seed()
    drawn = lots.by_lot(finalists, seed, lambda entry: entry.user_id)
    start_stage(tournament, 2, [drawn], seed, at)
    concerned = tuple(Person(entry.user_id) for entry in drawn)
    publishing.publish(TournamentAdvanced(tournament=tournament.pk, people=concerned))


def _finish(tournament: Tournament, at: datetime) -> None:
    tournament.state, tournament.finished_at = State.FINISHED, at
    tournament.save(update_fields=["state", "finished_at"])
    mark_winners(tournament)
    for user, place in sorted(tables.places(tournament).items()):
        publishing.publish(
            TournamentOver(tournament=tournament.pk, place=place or 0, people=(Person(user),))
        )


def mark_winners(tournament: Tournament) -> None:
    """Mark the first places of a tournament that is over: of the final, else of each group."""
    groups = tables.groups_of(tournament)
    last = max(each.group.stage.number for each in groups)
    deciding = [each for each in groups if each.group.stage.number == last]
    won = [row.lot.pk for each in deciding for row in each.rows if row.line.place == 1]
    lots = Lot.objects.filter(group__stage__tournament=tournament)
    lots.filter(won=True).exclude(pk__in=won).update(won=False)
    lots.filter(pk__in=won).update(won=True)
