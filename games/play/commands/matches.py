"""Commands that open matches, single or as a set of two, or end all matches of an erased user."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import people
from games.play import events
from games.play.commands.endings import abort, resign
from games.play.models.match import Match, Player
from games.play.models.setup import SavedSetup
from games.play.models.time import Vacation
from games.play.record import match_store
from games.play.record.sealed import notebooks
from games.rules import registry
from games.rules.core import engine
from games.rules.core.basics.options import Value
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User


def open_match(
    *,
    preset: str,
    switches: Mapping[str, Value],
    seats: dict[Seat, User],
    pace: str,
    setup_pace: str,
    soft: bool = False,
    vacations: bool = False,
    memory_aid: bool = True,
    rematch_of: Match | None = None,
) -> Match:
    """Open a match, in which both players are to set up; draws the deal in games that have one.

    `preset` and `switches` name the rules (registry); `pace` and `setup_pace` are read by
    time_controls.parse.
    """
    preset, switches = registry.canonical_edition(preset, switches)
    position = engine.begin(registry.ruleset(preset, switches), secrets.SystemRandom())
    with command_transaction():
        match = Match.objects.create(
            preset=preset,
            switches=switches,
            pace=pace,
            setup_pace=setup_pace,
            soft=soft,
            vacations=vacations,
            memory_aid=memory_aid,
            rematch_of=rematch_of,
            created_at=now(),
        )
        players = Player.objects.bulk_create(
            Player(match=match, user=user, seat=seat) for seat, user in sorted(seats.items())
        )
        match_store.create_first_ply(match, players, position)
        both = people(seats.values())
        publishing.publish(events.MatchOpened(match=match.pk, people=both))
    return match


def open_set(*, seats: dict[Seat, User], **terms: Any) -> tuple[Match, Match]:
    """Open a set of two: two matches on the terms of open_match, the second with seats swapped."""
    swapped = {seat.other: user for seat, user in seats.items()}
    with command_transaction():
        first, second = open_match(seats=seats, **terms), open_match(seats=swapped, **terms)
        for match, twin in ((first, second), (second, first)):
            match.twin = twin
            match.save(update_fields=["twin"])
    return first, second


def erase_player(user: User) -> None:
    """Erasure of a user: ends their live matches, deletes their notes, set-ups and vacations."""
    live = Player.objects.filter(user=user, live=True)
    for match_id in list(live.values_list("match_id", flat=True)):
        if match_store.load_match(match_id).unplayed:
            abort(match_id, user)
        else:
            resign(match_id, user)
    notebooks.delete_all(user.pk)
    SavedSetup.objects.filter(user=user).delete()
    Vacation.objects.filter(user=user).delete()
