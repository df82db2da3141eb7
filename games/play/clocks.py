"""The clocks of a match, kept at its players: set, lengthened, stopped, and by nobody else.

Whoever sets a clock names the winding that they found. A clock that somebody else has set meanwhile
stays as it is, so nothing is given or taken twice and no microsecond is lost between two writers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import F, QuerySet

from games.play import clock, rest, vacations
from games.play.models.match import Match, Player
from games.rules.core.army import Seat

# Part of every move; Django would take longer to write it than the database to do it.
WIND = """
    UPDATE play_player
    SET to_act = %s, bank = %s, since = %s, deadline = %s, check_at = %s, wound = wound + 1
    WHERE match_id = %s AND seat = %s AND wound = %s
"""


class Rewound(Exception):  # noqa: N818 -- nothing went wrong; somebody was quicker.
    """A clock was set since it was read, so what was to be written of it is no longer true."""


def begin(match: Match, players: Iterable[Player], to_act: Container[Seat], at: datetime) -> None:
    """Wind the clocks with what the match's time control gives; those who are to act run."""
    bank = match.budget().bank
    _wind([_set(player, Seat(player.seat) in to_act, bank, at) for player in players])


def turn(
    match: Match,
    players: Iterable[Player],
    to_act: Container[Seat],
    mover: Seat | None,
    at: datetime,
) -> None:
    """End the mover's turn, with the increment for it, and start the next; raises Rewound."""
    control = match.budget()
    rows = []
    for player in players:
        bank = player.bank
        if player.seat == mover and bank is not None:
            bank = control.refill(left(player, at) or clock.ZERO)
        rows.append(_set(player, Seat(player.seat) in to_act, bank, at))
    _wind(rows)


def stop(players: Iterable[Player]) -> None:
    """Stop these clocks for good; raises Rewound, so that time given in time is not overlooked.

    What was in the bank stays known: an ending may be reversed.
    """
    _wind([_row(player, False, player.bank, None, None, None) for player in players])


def lengthen(
    player: Player, more: timedelta, at: datetime, *, least: datetime | None = None
) -> datetime | None:
    """Put time into a clock that runs; the new deadline, at `least` at the earliest.

    `least` moves to the end of a rest like any deadline. None if the clock has been set since it
    was read, or does not run.
    """
    if player.bank is None or player.since is None or player.deadline is None:
        return None
    bank = player.bank + more
    deadline = max(until(player, player.since, bank), player.deadline)
    if least is not None:
        deadline = max(deadline, spared(player, least, at))
    return _move(player, deadline, at, bank=bank)


def postpone(player: Player, deadline: datetime, at: datetime) -> datetime | None:
    """Move the deadline of a clock that runs, and leave what is in its bank."""
    return _move(player, deadline, at)


def put_off(players: Iterable[Player], until: datetime) -> None:
    """Have these clocks looked at again then; whatever sets one meanwhile has its own way."""
    for player in players:
        found(player).update(check_at=until)


def pause(player: Player, at: datetime) -> bool:
    """Stop a clock with what is left on it; False if it was set since it was read."""
    return bool(
        found(player).update(
            bank=left(player, at), since=None, deadline=None, check_at=None, wound=F("wound") + 1
        )
    )


def resume(player: Player, at: datetime, *, least: datetime) -> bool:
    """Let a clock run on, until `least` at the earliest; False if it was set since it was read."""
    assert player.bank is not None  # noqa: S101 - without a clock nothing is paused
    deadline = max(until(player, at, player.bank), spared(player, least, at))
    check_at = clock.next_check(at, deadline, at)
    row = {"since": at, "deadline": deadline, "check_at": check_at, "wound": F("wound") + 1}
    return bool(found(player).update(**row))


def left(player: Player, at: datetime) -> timedelta | None:
    """What is left of a player's time; None where there is no clock."""
    if player.bank is None or player.since is None:
        return player.bank
    return clock.left(player.bank, player.since, at)


def until(player: Player, since: datetime, bank: timedelta) -> datetime:
    """The deadline of a clock that runs since then with that much in its bank."""
    return spared(player, since + bank, since)


def spared(player: Player, instant: datetime, at: datetime) -> datetime:
    """That instant, or the end of the player's rest in which it lies; vacations as seen at `at`."""
    away = vacations.ahead(player.user, at) if player.match.vacations else ()
    return rest.spare(instant, rest.read(player.user.rest), away)


def found(player: Player) -> QuerySet[Player]:
    """The player, if their clock still stands as it was read."""
    return Player.objects.filter(pk=player.pk, wound=player.wound)


def _move(player: Player, deadline: datetime, at: datetime, **more: Any) -> datetime | None:
    assert player.since is not None  # noqa: S101 - for the type checker
    check_at = clock.next_check(player.since, deadline, at)
    moved = found(player).filter(since=player.since)
    if not moved.update(deadline=deadline, check_at=check_at, wound=F("wound") + 1, **more):
        return None
    return deadline


def _set(player: Player, runs: bool, bank: timedelta | None, at: datetime) -> tuple[Any, ...]:
    """The row of a clock: it runs from `at` on, or it stands."""
    since = deadline = check_at = None
    if runs and bank is not None:
        since, deadline = at, until(player, at, bank)
        check_at = clock.next_check(since, deadline, at)
    return _row(player, runs, bank, since, deadline, check_at)


def _row(
    player: Player, to_act: bool, bank: timedelta | None, *instants: datetime | None
) -> tuple[Any, ...]:
    """What WIND asks for."""
    written = map(connection.ops.adapt_datetimefield_value, instants)
    span = Player._meta.get_field("bank").get_db_prep_value(bank, connection)
    return (to_act, span, *written, player.match_id, player.seat, player.wound)


def _wind(rows: list[tuple[Any, ...]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(WIND, rows)
        if cursor.rowcount != len(rows):
            raise Rewound
