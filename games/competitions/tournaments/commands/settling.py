"""Settles the cells of a table as matches end, and finds players who have fallen silent.

`on_ended`, `on_final` and `on_reopened` are subscribers of events of matches.
"""

from __future__ import annotations

from itertools import pairwise

from django.db import transaction

from games.competitions.ranking import signs
from games.competitions.tournaments.commands import locking
from games.competitions.tournaments.commands.ending import mark_winners
from games.competitions.tournaments.commands.withdrawing import withdraw_entry
from games.competitions.tournaments.models import (
    ENTRY_ENDED,
    Entry,
    Pairing,
    Stage,
    State,
)
from games.outbox.events import Event
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.people import leaving
from games.play.lists.opponents import seats_against_people
from games.play.models.match import Match, Player, Status
from games.play.record.public_plies import last_move_before
from games.rules.core.basics.pieces import Seat


def rows(event: Event) -> tuple[None, ...]:
    """One row for the end of a match between people."""
    return () if event.concerns_house else (None,)


def on_ended(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: a match is over, so its players may have room for the next ones."""
    match = _match(dispatch)
    pairing = _pairing(match)
    if pairing is not None:
        stages = Stage.objects.filter(
            pk=pairing.group.stage_id, over_at=None, tournament__at_once__gt=0
        )
        stages.update(to_open=True)


def on_final(dispatch: Dispatch, batch: Batch) -> None:
    """Handler of MatchFinal: writes the signs of the match."""
    match = _match(dispatch)
    if match is not None and match.is_final:
        settle(match)


def on_reopened(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: a match goes on, so its signs are open again while its stage is played."""
    match = _match(dispatch)
    if match is None or not match.is_live:
        return
    with transaction.atomic():
        pairing, number = _locked(match)
        if pairing is None or not pairing.counts(number):
            return
        stage = pairing.group.stage
        if stage.over_at is not None:
            return
        pairing.sign(number, signs.OPEN * 2)
        pairing.save(update_fields=["signs"])
        # Its last date may have passed.
        Stage.objects.filter(pk=stage.pk).update(to_judge=True)


def settle(match: Match) -> None:
    """Write the signs of a final match into its table, unless they are fixed. Idempotent."""
    with transaction.atomic():
        pairing, number = _locked(match)
        if pairing is None or not pairing.counts(number):
            return
        before = pairing.signs
        pairing.sign(number, _signs(match, pairing))
        if pairing.signs == before:
            return
        pairing.save(update_fields=["signs"])
        both = (pairing.south.entry.user_id, pairing.north.entry.user_id)
        leaving.check_later(ENTRY_ENDED, both, match=match.pk, ply=match.ply)
        stage = pairing.group.stage
        if stage.over_at is not None:
            if stage.tournament.state == State.FINISHED:
                mark_winners(stage.tournament)
            return
        Stage.objects.filter(pk=stage.pk).update(to_check=True)
        for lot in (pairing.south, pairing.north):
            entry = lot.entry
            if entry.status == Entry.Status.PLAYING and _is_silent(stage, entry):
                withdraw_entry(stage.tournament, entry, Entry.Why.SILENT)


def _signs(match: Match, pairing: Pairing) -> str:
    """The signs of a match that is over: of the pairing's South, then of its North."""
    seats = {player.user_id: Seat(player.seat) for player in match.players.all()}
    both = [seats[lot.entry.user_id] for lot in (pairing.south, pairing.north)]
    if match.status == Status.FINISHED:
        if match.result == "draw":
            return signs.DRAWN * 2
        letters = match.rules.seat_letters
        return "".join(signs.WON if match.result == letters[seat] else signs.LOST for seat in both)
    if match.status == Status.CANCELLED:
        forfeiters = match.forfeiters
        return "".join(
            signs.FORFEIT if seat in forfeiters or not forfeiters else signs.WALKOVER
            for seat in both
        )
    return signs.VOID * 2


def _is_silent(stage: Stage, entry: Entry) -> bool:
    """Whether a player missed two units of the stage and made no move in any match between."""
    units = Pairing.objects.filter(group__stage=stage, match__isnull=False)
    of_match = {pk: min(pk, twin or pk) for pk, twin in units.values_list("match", "match__twin")}
    twins = {twin: pk for pk, twin in units.values_list("match", "match__twin") if twin}
    ids = [*of_match, *twins]
    missed = Player.objects.filter(
        user=entry.user_id, match__in=ids, missed_at__isnull=False, match__is_final=True
    )
    by_unit: dict[int, Player] = {}
    for player in missed.order_by("missed_at"):
        by_unit[twins.get(player.match_id, player.match_id)] = player
    instants = sorted(player.missed_at for player in by_unit.values() if player.missed_at)
    for earlier, later in pairwise(instants):
        seats = seats_against_people(entry.user_id).filter(match__created_at__lte=later)
        moved = last_move_before(seats, later)
        if moved is None or moved <= earlier:
            return True
    return False


def _match(dispatch: Dispatch) -> Match | None:
    return Match.objects.filter(pk=dispatch.ref["match"]).first()


def _pairing(match: Match | None) -> Pairing | None:
    """The pairing of a match, or of the other match of its set."""
    if match is None or not match.event.startswith("tournament/"):
        return None
    pairings = Pairing.objects.filter(match__in=[match.pk, match.twin_id or match.pk])
    return pairings.select_related(
        "group__stage__tournament", "south__entry", "north__entry"
    ).first()


def _locked(match: Match) -> tuple[Pairing | None, int]:
    """The pairing of a match, read under its tournament's lock, and the match's number in it."""
    pairing = _pairing(match)
    if pairing is None:
        return None, 0
    tournament = locking.locked(pairing.group.stage.tournament_id)
    pairing = _pairing(match)
    if pairing is None or tournament.state == State.CANCELLED:
        return None, 0
    return pairing, 1 if pairing.match_id == match.pk else 2
