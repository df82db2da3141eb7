"""Helpers that make tournaments and end their matches without playing them."""

from __future__ import annotations

import io
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from accounts.models import User
from games.competitions import sweeps
from games.competitions.tournaments import exports, making
from games.competitions.tournaments.commands import entering
from games.competitions.tournaments.models import Pairing, Stage, Tournament
from games.notifications import notify as notifying
from games.outbox.delivery import dispatcher
from games.people.models import Reliability
from games.play.commands import finality
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Status, by_seat
from games.play.record import match_store
from games.play.record.match_store import Ending
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination
from lib.db_clock import frozen_at

START = datetime(2026, 1, 1, tzinfo=UTC)
CLOSES = START + timedelta(days=7)
FIELDS = {"title": "Spring", "preset": "lattaque-en", "rated": True, "min_finished": 0}


def after(days: float) -> datetime:
    """An instant, by days after entry closed."""
    return CLOSES + timedelta(days=days)


def members(count: int) -> list[User]:
    """Users with some finished matches, so that no cap refuses them."""
    users = [
        User.objects.create_confirmed(f"Member{number}", f"member{number}@example.org")
        for number in range(1, count + 1)
    ]
    Reliability.objects.bulk_create(Reliability(user=user, finished=20) for user in users)
    return users


def tournament(**fields: Any) -> Tournament:
    given = {**FIELDS, "opens_at": START, "closes_at": CLOSES, **fields}
    with frozen_at(START):
        return making.make(given)


def entered(users: list[User], **fields: Any) -> Tournament:
    """A tournament that these users have entered."""
    made = tournament(**fields)
    with frozen_at(START + timedelta(hours=1)):
        for user in users:
            entering.enter(made.pk, user)
    return made


def tick(at: datetime, *, emails: bool = False) -> dict[str, int]:
    """Everything that is due at an instant; what the sweeps did.

    Without `emails`, none is written, which would take longer than all else; they are tested in
    tests/notifications.
    """
    silence = nullcontext() if emails else patch.object(notifying, "notify", lambda *_: None)
    with frozen_at(at), silence:
        finality.sweep()
        while dispatcher.drain():
            pass
        return dict(sweeps.run_all())


def drawn(users: list[User], **fields: Any) -> Tournament:
    """A tournament of these users whose matches have been opened."""
    made = entered(users, **fields)
    tick(CLOSES)
    made.refresh_from_db()
    return made


def pairing_of(made: Tournament, one: User, other: User) -> Pairing:
    both = [one.pk, other.pk]
    return Pairing.objects.select_related("match", "group__stage").get(
        group__stage__tournament=made, south__entry__user__in=both, north__entry__user__in=both
    )


def end(match: Match, winner: User | None, at: datetime, *, on_time: bool = False) -> None:
    """End a match at an instant as if it had been played; without a winner it is a draw."""
    if match.status == Status.SETUP:
        Match.objects.filter(pk=match.pk).update(status=Status.RUNNING, opening=match.ply)
    with frozen_at(at):
        state = match_store.load_match(match.pk)
        if winner is None:
            ending = Ending(Status.FINISHED, "draw", OffBoardTermination.AGREED)
            kind, seat = PlyKind.DRAW, Seat.SOUTH
        else:
            seat = state.seat_of(winner.pk).other
            reason = OffBoardTermination.TIME if on_time else OffBoardTermination.RESIGNED
            ending = Ending(Status.FINISHED, state.rules.seat_letters[seat.other], reason)
            kind = PlyKind.TIME if on_time else PlyKind.RESIGN
        players = match.players.all()
        players.update(turns=10)
        players.update(moved_at=at - timedelta(hours=1))
        assert match_store.append_ply(state, kind, None if on_time else seat, ending=ending)


def end_all(made: Tournament, at: datetime, winner: Any = min) -> int:
    """End every live match; `winner` chooses one of the two users by number, or None."""
    live = Match.objects.filter(event=made.event_key, finished_at=None).order_by("pk")
    for match in live:
        users = {player.user_id: player.user for player in by_seat(match).values()}
        chosen = winner(users)
        end(match, None if chosen is None else users[chosen], at)
    return len(live)


def csv(made: Tournament, *, pairings: bool = False) -> str:
    file = io.StringIO()
    (exports.write_pairings if pairings else exports.write_table)(made, file)
    return file.getvalue()


def stage(made: Tournament, number: int = 1) -> Stage:
    return Stage.objects.get(tournament=made, number=number)


def cells(made: Tournament, one: User, other: User) -> tuple[str, str]:
    """The cells of both in each other's column, the first user's row first."""
    pairing = pairing_of(made, one, other)
    south, north = pairing.of_south, pairing.of_north
    return (south, north) if pairing.south.entry.user_id == one.pk else (north, south)
