"""Commands that open a match or a set of two, or end all matches of an erased user."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import people
from games.play import events
from games.play.commands.endings import abort, resign
from games.play.models.match import Match, Player
from games.play.models.setup import SavedSetup
from games.play.models.time import Vacation
from games.play.record import match_store
from games.play.record.sealed import notebooks, plans
from games.play.terms import Terms
from games.rules.core import engine
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User


def open_match(
    terms: Terms, seats: dict[Seat, User], rematch_of: Match | None = None, *, event: str = ""
) -> Match:
    """Open a match, or a set of two with seats swapped in the second; returns the (first) match.

    `seats` has the users of the first match by seat, whatever the seat of the terms. Both players
    are to set up; in games with a deal it is drawn. `event` is the key of a ladder or tournament
    (Match.event).
    """
    if not terms.as_set:
        return _open_one(terms, seats, rematch_of, event)
    swapped = {seat.other: user for seat, user in seats.items()}
    with command_transaction():
        first, second = (_open_one(terms, each, rematch_of, event) for each in (seats, swapped))
        for match, twin in ((first, second), (second, first)):
            match.twin = twin
            match.save(update_fields=["twin"])
    return first


def _open_one(terms: Terms, seats: dict[Seat, User], rematch_of: Match | None, event: str) -> Match:
    position = engine.begin(terms.rules, secrets.SystemRandom())
    with command_transaction():
        match = Match.objects.create(
            **Match.columns_of(terms), rematch_of=rematch_of, event=event, created_at=now()
        )
        players = Player.objects.bulk_create(
            Player(match=match, user=user, seat=seat) for seat, user in sorted(seats.items())
        )
        match_store.create_first_ply(match, players, position)
        both = people(seats.values())
        publishing.publish(events.MatchOpened(match=match.pk, people=both))
    return match


def erase_player(user: User) -> None:
    """Erasure of a user: ends their live matches, deletes their notes, set-ups and vacations."""
    live = Player.objects.filter(user=user, live=True)
    for match_id in list(live.values_list("match_id", flat=True)):
        if match_store.load_match(match_id).unplayed:
            abort(match_id, user)
        else:
            resign(match_id, user)
    notebooks.delete_all(user.pk)
    plans.delete_of_user(user.pk)
    SavedSetup.objects.filter(user=user).delete()
    Vacation.objects.filter(user=user).delete()
