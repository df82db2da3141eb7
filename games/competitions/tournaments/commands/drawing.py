"""The draw: closes entry, deals groups and writes down every pairing, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from games.competitions.draw import berger, groups, lots
from games.competitions.draw.groups import Entrant, Grouping
from games.competitions.ranking import signs
from games.competitions.tournaments.commands import locking
from games.competitions.tournaments.commands.entering import check_entry
from games.competitions.tournaments.events import (
    TournamentBegins,
    TournamentCancelled,
    TournamentWithdrawn,
)
from games.competitions.tournaments.models import (
    ENTRY_ENDED,
    MIN_ENTRIES,
    Entry,
    Group,
    Lot,
    Pairing,
    Stage,
    State,
    Tournament,
)
from games.outbox import publishing
from games.outbox.events import Person, people
from games.people import leaving
from games.ratings.shown import shown_ratings
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import now

MORE_TIME = timedelta(days=7)  # for entries, once, if there are too few
FINAL_SEED = "{seed}/final"  # of a tournament with a seed for tests


def close_entry(tournament_id: int) -> str | None:
    """Draw a tournament whose entry has closed, prolong entry, or cancel; returns which.

    None if another worker has done it. Entries that no longer fit drop out.
    """
    with transaction.atomic():
        tournament = locking.locked(tournament_id)
        at = now()
        if tournament.state != State.OPEN or tournament.closes_at > at:
            return None
        entered = tournament.entries.filter(status=Entry.Status.ENTERED)
        entries = list(entered.select_related("user").order_by("user"))
        fit = [entry for entry in entries if _fits(tournament, entry)]
        if len(fit) < MIN_ENTRIES:
            return _too_few(tournament)
        for entry in entries:
            if entry not in fit:
                _drop(entry)
        _start(tournament, fit, at)
        publishing.publish(
            TournamentBegins(tournament=tournament.pk, people=people(entry.user for entry in fit))
        )
        return "drawn"


def start_stage(
    tournament: Tournament, number: int, dealt: Sequence[Sequence[Entry]], seed: str, at: datetime
) -> Stage:
    """Write down a stage: its groups, each in the order of its lots, and their pairings."""
    stage = Stage.objects.create(
        tournament=tournament,
        number=number,
        seed=seed,
        started_at=at,
        ends_at=at + timedelta(days=tournament.days),
    )
    for group_number, entries in enumerate(dealt, 1):
        group = Group.objects.create(stage=stage, number=group_number)
        seats = Lot.objects.bulk_create(
            Lot(group=group, entry=entry, number=lot) for lot, entry in enumerate(entries, 1)
        )
        Pairing.objects.bulk_create(
            Pairing(
                group=group,
                round=pair.round,
                board=pair.board,
                south=seats[pair.south - 1],
                north=seats[pair.north - 1],
                signs=signs.OPEN * 2 * tournament.matches_a_pair,
            )
            for pair in berger.pairings(len(entries))
        )
    return stage


def _start(tournament: Tournament, entries: Sequence[Entry], at: datetime) -> None:
    shown = shown_ratings([entry.user_id for entry in entries], tournament.rules.family)
    for entry in entries:
        entry.rating = shown[entry.user_id].rating
        entry.status = Entry.Status.PLAYING
    Entry.objects.bulk_update(entries, ["rating", "status"])
    seed = tournament.seed or lots.new_seed()
    by_user = {entry.user_id: entry for entry in entries}
    entrants = [Entrant(entry.user_id, entry.rating or 0) for entry in entries]
    dealt = groups.deal(entrants, tournament.group_size, Grouping(tournament.grouping), seed)
    start_stage(
        tournament, 1, [[by_user[each.user] for each in group] for group in dealt], seed, at
    )
    tournament.state = State.RUNNING
    tournament.save(update_fields=["state"])


def _fits(tournament: Tournament, entry: Entry) -> bool:
    try:
        check_entry(tournament, entry.user)
    except Refusal:
        return False
    return True


def _drop(entry: Entry) -> None:
    entry.status = Entry.Status.DROPPED
    entry.save(update_fields=["status"])
    concerned = people([entry.user])
    publishing.publish(
        TournamentWithdrawn(tournament=entry.tournament_id, entry=entry.pk, people=concerned)
    )


def _too_few(tournament: Tournament) -> str:
    """Give 7 more days once, then cancel."""
    if not tournament.prolonged:
        tournament.prolonged = True
        tournament.closes_at += MORE_TIME
        tournament.save(update_fields=["prolonged", "closes_at"])
        return "prolonged"
    cancel(tournament, "")
    return "cancelled"


def cancel(tournament: Tournament, reason: str) -> None:
    """Cancel a tournament that is locked; matches that have begun go on outside of it."""
    tournament.state, tournament.reason, tournament.finished_at = State.CANCELLED, reason, now()
    tournament.save(update_fields=["state", "reason", "finished_at"])
    flags = {"over_at": tournament.finished_at, "to_open": False, "to_check": False}
    Stage.objects.filter(tournament=tournament, over_at=None).update(**flags, to_judge=False)
    listed = tournament.entries.filter(
        status__in=(Entry.Status.ENTERED, Entry.Status.PLAYING)
    ).order_by("user")
    concerned = tuple(Person(user) for user in listed.values_list("user", flat=True))
    publishing.publish(TournamentCancelled(tournament=tournament.pk, people=concerned))
    leaving.check_later(ENTRY_ENDED, (person.id for person in concerned), tournament=tournament.pk)
