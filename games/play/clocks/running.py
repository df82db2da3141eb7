"""Running clocks: the only module that writes the clock of a player.

Optimistic lock: each write names the clock_version that it has read. If the clock was set since
then, the write does nothing, so no time is given or taken twice.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import F, QuerySet

from games.play import time_controls
from games.play.clocks import rest, vacations
from games.play.clocks.rest import Interval
from games.play.models.match import Match, Player
from games.rules.core.basics.pieces import Seat

# Plain SQL, as it is part of every move: the ORM takes longer to build it than the database to run
# it.
SET_CLOCK = """
    UPDATE play_player
    SET to_act = %s, bank = %s, since = %s, deadline = %s, check_at = %s,
        clock_version = clock_version + 1, turns = turns + %s, moved_at = COALESCE(%s, moved_at)
    WHERE match_id = %s AND seat = %s AND clock_version = %s
"""

# For one clock or many.
SET_CLOCKS = """
    WITH given (pk, version, bank, deadline, check_at) AS (VALUES {rows}),
    free AS (
        SELECT given.* FROM given JOIN play_player
        ON play_player.id = given.pk AND play_player.clock_version = given.version {lock}
    )
    UPDATE play_player
    SET bank = free.bank, deadline = free.deadline, check_at = free.check_at,
        clock_version = clock_version + 1
    FROM free WHERE id = free.pk AND clock_version = free.version
    RETURNING id
"""
ROW = {
    "postgresql": "(%s::bigint, %s::bigint, %s::interval, %s::timestamptz, %s::timestamptz)",
    "sqlite": "(%s, %s, %s, %s, %s)",
}
# For many clocks: locked rows are skipped, as waiting for one while holding others could deadlock.
# SQLite has one writer.
PASS_OVER = {"postgresql": "FOR NO KEY UPDATE OF play_player SKIP LOCKED", "sqlite": ""}


class ClockChanged(Exception):  # noqa: N818 -- no error: a concurrent write came first.
    """The optimistic lock failed: the clock was set since it was read."""


def start(match: Match, players: Iterable[Player], to_act: Container[Seat], at: datetime) -> None:
    """Set the clocks to the start of the match's time control; those of seats in `to_act` run."""
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
        moved_at = at if player.seat == mover else None
        rows.append(_row_of_set_clock(player, Seat(player.seat) in to_act, bank, at, moved_at))
    _write(rows)


def stop(players: Iterable[Player], mover: Seat | None, at: datetime) -> None:
    """Stop these clocks because the match is over; raises ClockChanged.

    `mover` made the last move. The bank is kept, since an administrator may undo the ending.
    """
    stopped = (None, None, None)
    _write(
        [
            _row(player, False, player.bank, *stopped, at if player.seat == mover else None)
            for player in players
        ]
    )


class NewClock(NamedTuple):
    """The new values of a running clock, written if the clock was not set since it was read."""

    player: Player
    bank: timedelta
    deadline: datetime
    check_at: datetime


def longer(
    player: Player,
    more: timedelta,
    at: datetime,
    *,
    least: datetime | None = None,
    away: list[Interval] | None = None,
) -> NewClock:
    """A running clock with more time; its deadline is at the earliest `least`.

    `least` moves to the end of a rest as any deadline does. `away` are the player's vacations, if
    they were read for many players at once.
    """
    bank, since, before = _of_running(player)
    deadline = max(_out_of_rest(player, since + bank + more, since, away), before)
    if least is not None:
        deadline = max(deadline, _out_of_rest(player, least, at, away))
    check_at = time_controls.next_check(since, deadline, at)
    return NewClock(player, bank + more, deadline, check_at)


def shifted(player: Player, more: timedelta, least: datetime) -> NewClock:
    """As `longer`, but ignores rests, for a player whose rest cannot be read."""
    bank, _since, before = _of_running(player)
    deadline = max(before + more, least)
    return NewClock(player, bank + more, deadline, deadline + time_controls.DEADLINE_GRACE)


def lengthen(
    player: Player, more: timedelta, at: datetime, *, least: datetime | None = None
) -> datetime | None:
    """Add time to a running clock; returns the new deadline.

    None if the clock was set since it was read, or does not run.
    """
    if player.bank is None or player.since is None or player.deadline is None:
        return None
    clock = longer(player, more, at, least=least)
    return clock.deadline if set_clocks([clock]) else None


def set_clocks(clocks: Sequence[NewClock]) -> set[int]:
    """Set running clocks in one statement; returns the keys of the unchanged ones, now set."""
    if not clocks:
        return set()
    fields: list[Any] = [Player._meta.get_field(name) for name in ("bank", "deadline", "check_at")]
    rows: list[Any] = []
    for player, *values in clocks:
        rows += (player.pk, player.clock_version)
        rows += (
            field.get_db_prep_value(value, connection)
            for field, value in zip(fields, values, strict=True)
        )
    given = ", ".join([ROW[connection.vendor]] * len(clocks))
    lock = PASS_OVER[connection.vendor] if len(clocks) > 1 else ""
    with connection.cursor() as cursor:
        cursor.execute(SET_CLOCKS.format(rows=given, lock=lock), rows)
        return {pk for (pk,) in cursor.fetchall()}


def shorten(player: Player, less: timedelta) -> None:
    """Take time from a running clock whose player has answered; raises ClockChanged.

    The deadline stays, and `player` gets the values of the row.
    """
    bank, _since, _deadline = _of_running(player)
    version = F("clock_version") + 1
    if not unchanged(player).update(bank=bank - less, clock_version=version):
        raise ClockChanged
    player.bank, player.clock_version = bank - less, player.clock_version + 1


def postpone(player: Player, deadline: datetime, at: datetime) -> datetime | None:
    """Move the deadline of a running clock and keep its bank; None if it was set since."""
    bank, since, _before = _of_running(player)
    check_at = time_controls.next_check(since, deadline, at)
    return deadline if set_clocks([NewClock(player, bank, deadline, check_at)]) else None


def check_later(players: Iterable[Player], at: datetime, until: datetime) -> None:
    """Postpone the sweep's next check of these clocks to `until`, unless they were set since."""
    due = Player.objects.filter(pk__in=[player.pk for player in players], check_at__lte=at)
    due.update(check_at=until)


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
    """`instant`, or the end of the rest or vacation that contains it, as known at `at`."""
    return _out_of_rest(player, instant, at, None)


def unchanged(player: Player) -> QuerySet[Player]:
    """The player's row, as a queryset that is empty if the clock was set since it was read."""
    return Player.objects.filter(pk=player.pk, clock_version=player.clock_version)


def _out_of_rest(
    player: Player, instant: datetime, at: datetime, away: list[Interval] | None
) -> datetime:
    if not player.match.vacations:
        away = []
    elif away is None:
        away = vacations.ahead(player.user, at)
    else:
        away = [(start, end) for start, end in away if end > at]
    return rest.first_outside_rest(instant, rest.parse(player.user.rest), away)


def _of_running(player: Player) -> tuple[timedelta, datetime, datetime]:
    """Bank, start and deadline of a running clock."""
    assert player.bank is not None  # noqa: S101 - for the type checker
    assert player.since is not None and player.deadline is not None  # noqa: S101
    return player.bank, player.since, player.deadline


def _row_of_set_clock(
    player: Player,
    runs: bool,
    bank: timedelta | None,
    at: datetime,
    moved_at: datetime | None = None,
) -> tuple[Any, ...]:
    """The parameters of SET_CLOCK for a clock that runs from `at` on, or is stopped."""
    since = deadline = check_at = None
    if runs and bank is not None:
        since, deadline = at, deadline_after(player, at, bank)
        check_at = time_controls.next_check(since, deadline, at)
    return _row(player, runs, bank, since, deadline, check_at, moved_at)


def _row(
    player: Player, to_act: bool, bank: timedelta | None, *instants: datetime | None
) -> tuple[Any, ...]:
    """The parameters of SET_CLOCK; `instants`: since, deadline, next check, and of a move."""
    *written, moved_at = map(connection.ops.adapt_datetimefield_value, instants)
    span = Player._meta.get_field("bank").get_db_prep_value(bank, connection)
    turns = 0 if moved_at is None else 1
    row = (player.match_id, player.seat, player.clock_version)
    return (to_act, span, *written, turns, moved_at, *row)


def _write(rows: list[tuple[Any, ...]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(SET_CLOCK, rows)
        if cursor.rowcount != len(rows):
            raise ClockChanged
