"""Running clocks: the only module that writes the clock of a player.

Optimistic lock: each write names the clock_version that it read. If somebody else has set the clock
meanwhile the write does nothing, so no time is given or taken twice.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import F, QuerySet

from games.play import time_controls
from games.play.clocks import rest, vacations
from games.play.models.match import Match, Player
from games.rules.core.pieces import Seat

# Plain SQL: part of every move, and the ORM would take longer to build it than the database to run
# it.
SET_CLOCK = """
    UPDATE play_player
    SET to_act = %s, bank = %s, since = %s, deadline = %s, check_at = %s,
        clock_version = clock_version + 1
    WHERE match_id = %s AND seat = %s AND clock_version = %s
"""


class ClockChanged(Exception):  # noqa: N818 -- no error: a concurrent write came first.
    """The optimistic lock failed: somebody set the clock since it was read."""


def start(match: Match, players: Iterable[Player], to_act: Container[Seat], at: datetime) -> None:
    """Set the clocks as the match's time control begins; those of seats in `to_act` run."""
    bank = match.budget().bank
    _write([_row_of_set_clock(player, Seat(player.seat) in to_act, bank, at) for player in players])


def next_turn(
    match: Match,
    players: Iterable[Player],
    to_act: Container[Seat],
    mover: Seat | None,
    at: datetime,
) -> None:
    """End the mover's turn, adding the increment, and start the next; raises ClockChanged."""
    control = match.budget()
    rows = []
    for player in players:
        bank = player.bank
        if player.seat == mover and bank is not None:
            bank = control.refill(time_left(player, at) or time_controls.ZERO)
        rows.append(_row_of_set_clock(player, Seat(player.seat) in to_act, bank, at))
    _write(rows)


def stop(players: Iterable[Player]) -> None:
    """Stop these clocks because the match is over; raises ClockChanged.

    The bank is kept, since an administrator may undo the ending.
    """
    _write([_row(player, False, player.bank, None, None, None) for player in players])


def lengthen(
    player: Player, more: timedelta, at: datetime, *, least: datetime | None = None
) -> datetime | None:
    """Add time to a running clock; the new deadline, at the earliest `least`.

    `least` moves to the end of a rest like any deadline. None if the clock was set since it was
    read, or does not run.
    """
    if player.bank is None or player.since is None or player.deadline is None:
        return None
    bank = player.bank + more
    deadline = max(deadline_after(player, player.since, bank), player.deadline)
    if least is not None:
        deadline = max(deadline, after_rest(player, least, at))
    return _move_deadline(player, deadline, at, bank=bank)


def postpone(player: Player, deadline: datetime, at: datetime) -> datetime | None:
    """Move the deadline of a running clock and leave its bank; None if it was set since."""
    return _move_deadline(player, deadline, at)


def check_later(players: Iterable[Player], until: datetime) -> None:
    """Have the sweep look at these clocks again at `until`; those set meanwhile are left alone."""
    for player in players:
        unchanged(player).update(check_at=until)


def pause(player: Player, at: datetime) -> bool:
    """Stop a clock and keep the time left on it; False if it was set since it was read."""
    return bool(
        unchanged(player).update(
            bank=time_left(player, at),
            since=None,
            deadline=None,
            check_at=None,
            clock_version=F("clock_version") + 1,
        )
    )


def resume(player: Player, at: datetime, *, least: datetime) -> bool:
    """Restart a paused clock, with `least` as its earliest deadline; False if it was set since."""
    assert player.bank is not None  # noqa: S101 - without a clock nothing is paused
    deadline = max(deadline_after(player, at, player.bank), after_rest(player, least, at))
    check_at = time_controls.next_check(at, deadline, at)
    row = {
        "since": at,
        "deadline": deadline,
        "check_at": check_at,
        "clock_version": F("clock_version") + 1,
    }
    return bool(unchanged(player).update(**row))


def time_left(player: Player, at: datetime) -> timedelta | None:
    """The time left on a player's clock; None if the match has no clock."""
    if player.bank is None or player.since is None:
        return player.bank
    return time_controls.time_left(player.bank, player.since, at)


def deadline_after(player: Player, since: datetime, bank: timedelta) -> datetime:
    """The deadline of a clock that runs from `since` on with `bank`, moved out of any rest."""
    return after_rest(player, since + bank, since)


def after_rest(player: Player, instant: datetime, at: datetime) -> datetime:
    """`instant`, or the end of the rest or vacation in which it lies, as known at `at`."""
    away = vacations.ahead(player.user, at) if player.match.vacations else ()
    return rest.first_outside_rest(instant, rest.parse(player.user.rest), away)


def unchanged(player: Player) -> QuerySet[Player]:
    """The player's row, empty if the clock was set since it was read (optimistic lock)."""
    return Player.objects.filter(pk=player.pk, clock_version=player.clock_version)


def _move_deadline(
    player: Player, deadline: datetime, at: datetime, **more: Any
) -> datetime | None:
    assert player.since is not None  # noqa: S101 - for the type checker
    check_at = time_controls.next_check(player.since, deadline, at)
    moved = unchanged(player).filter(since=player.since)
    if not moved.update(
        deadline=deadline, check_at=check_at, clock_version=F("clock_version") + 1, **more
    ):
        return None
    return deadline


def _row_of_set_clock(
    player: Player, runs: bool, bank: timedelta | None, at: datetime
) -> tuple[Any, ...]:
    """The parameters of SET_CLOCK for a clock that runs from `at` on, or is stopped."""
    since = deadline = check_at = None
    if runs and bank is not None:
        since, deadline = at, deadline_after(player, at, bank)
        check_at = time_controls.next_check(since, deadline, at)
    return _row(player, runs, bank, since, deadline, check_at)


def _row(
    player: Player, to_act: bool, bank: timedelta | None, *instants: datetime | None
) -> tuple[Any, ...]:
    """The parameters of SET_CLOCK; `instants`: since, deadline, next check."""
    written = map(connection.ops.adapt_datetimefield_value, instants)
    span = Player._meta.get_field("bank").get_db_prep_value(bank, connection)
    return (to_act, span, *written, player.match_id, player.seat, player.clock_version)


def _write(rows: list[tuple[Any, ...]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(SET_CLOCK, rows)
        if cursor.rowcount != len(rows):
            raise ClockChanged
