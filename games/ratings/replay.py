"""Replay: computes the ratings of a family again, from one of its units on.

The rating of a new unit is a replay from its number on. Everything before is read from the stored
units, as far as the players of the replayed ones need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from heapq import nlargest

from django.db import connection
from django.db.models import Q, QuerySet

from games.ratings.glicko.counting import (
    MAX_ABSENCES,
    MAX_OF_A_PAIR,
    Facts,
    Rated,
    Standing,
    leads_until,
    play,
    why_not,
)
from games.ratings.glicko.formula import State
from games.ratings.models import HowEnded, Rating, Unit, WhyNot

BATCH_UNITS = 1000  # read and written at a time
TOLERANCE = 0.001  # of `differences`

SIDES = ("south", "north")
# The columns of a unit for the states of both sides, before it and after it.
STATE_COLUMNS = tuple(
    f"{side}_{when}{part}"
    for when in ("before", "after")
    for side in SIDES
    for part in ("", "_deviation", "_volatility")
)
UNIT_COLUMNS = ("why", *STATE_COLUMNS)
RATING_COLUMNS = ("rating", "deviation", "volatility", "last_at", "counted")


class _Past:
    """What happened in a family before a number, read when it is needed and then kept up."""

    def __init__(self, family: str, number: int) -> None:
        earlier = Unit.objects.filter(family=family, number__lt=number)
        # Before the first number there is nothing to read.
        self._earlier = earlier if number > 1 else earlier.none()
        self.standings: dict[int, Standing] = {}
        self.counted: dict[int, int] = {}
        self._losses: dict[int, list[datetime]] = {}
        self._pairs: dict[frozenset[int], list[datetime]] = {}

    def standing(self, user: int) -> Standing:
        """A player's standing after their last counted unit."""
        if user not in self.standings:
            counted = self._of(user).filter(why="")
            self.counted[user] = counted.count()
            last = counted.order_by("-number").first()
            self.standings[user] = Standing() if last is None else _standing_after(last, user)
        return self.standings[user]

    def losses(self, user: int) -> list[datetime]:
        """When the last units ended that a player lost on time."""
        if user not in self._losses:
            lost = self._earlier.filter(how=HowEnded.TIME).filter(
                Q(south=user, quarters__lt=2) | Q(north=user, quarters__gt=2)
            )
            newest = lost.order_by("-finished_at").values_list("finished_at", flat=True)
            self._losses[user] = list(newest[:MAX_ABSENCES])
        return self._losses[user]

    def pair(self, one: int, other: int) -> list[datetime]:
        """The final instants of the last counted units of two players."""
        key = frozenset((one, other))
        if key not in self._pairs:
            both = self._of(one).filter(Q(south=other) | Q(north=other), why="")
            newest = both.order_by("-number").values_list("final_at", flat=True)
            self._pairs[key] = list(newest[:MAX_OF_A_PAIR])
        return self._pairs[key]

    def note(self, rated: Rated, loser: int | None, one: int, other: int) -> None:
        """Take a unit into account for those that follow."""
        if loser is not None:
            known = self.losses(loser)
            self._losses[loser] = nlargest(MAX_ABSENCES, [*known, rated.unit.finished_at])
        if rated.counted:
            pair = self.pair(one, other)
            self._pairs[frozenset((one, other))] = [rated.unit.final_at, *pair][:MAX_OF_A_PAIR]
            for user in (one, other):
                self.counted[user] += 1

    def _of(self, user: int) -> QuerySet[Unit]:
        return self._earlier.filter(Q(south=user) | Q(north=user))


def facts_of(unit: Unit) -> Facts:
    """A unit with a score, as the rules of counting read it."""
    return Facts(
        number=unit.number,
        finished_at=unit.finished_at,
        final_at=unit.final_at,
        a=unit.south_id,
        b=unit.north_id,
        score=(unit.quarters or 0) / 4,
        least_turns=unit.least_turns,
        lost_on_time=unit.how == HowEnded.TIME,
        loser_last_ply_at=unit.loser_last_ply_at,
        taken_out=unit.taken_out,
    )


def replay(family: str, number: int = 1) -> int:
    """Rate the units of a family from a number on; returns how many rows have changed.

    The caller holds the lease of ratings and a transaction, so readers see the ratings from before
    or those from after.
    """
    past = _Past(family, number)
    changed: list[Unit] = []
    written = 0
    for unit in _units(family, number):
        before = _columns(unit)
        _store(unit, _rate(unit, past))
        if _columns(unit) != before:
            changed.append(unit)
        if len(changed) >= BATCH_UNITS:
            written += _write(changed)
            changed = []
    written += _write(changed)
    _write_ratings(family, past)
    return written


def differences(family: str) -> Iterator[str]:
    """What would change if a family were replayed from the first unit, a line each; writes nothing.

    Numbers differ if they are more than TOLERANCE apart.
    """
    past = _Past(family, 1)
    for unit in _units(family, 1):
        stored = _columns(unit)
        _store(unit, _rate(unit, past))
        yield from _compare(f"{family} {unit.number}", UNIT_COLUMNS, stored, _columns(unit))
    computed = {rating.user_id: rating for rating in _ratings(family, past)}
    kept = {rating.user_id: rating for rating in Rating.objects.filter(family=family)}
    for user in sorted(computed.keys() | kept.keys()):
        values = (_values(kept.get(user)), _values(computed.get(user)))
        yield from _compare(f"{family} u{user}", RATING_COLUMNS, *values)


def _values(rating: Rating | None) -> tuple[object, ...]:
    return tuple(getattr(rating, name, None) for name in RATING_COLUMNS)


def _compare(
    name: str, columns: Iterable[str], stored: Iterable[object], computed: Iterable[object]
) -> Iterator[str]:
    for column, one, other in zip(columns, stored, computed, strict=True):
        numbers = isinstance(one, float) and isinstance(other, float)
        if not (abs(one - other) <= TOLERANCE if numbers else one == other):  # type: ignore[operator]
            yield f"{name} {column}: {one} is stored, {other} is right."


def _units(family: str, number: int) -> Iterator[Unit]:
    rows = Unit.objects.filter(family=family).order_by("number")
    while batch := list(rows.filter(number__gte=number)[:BATCH_UNITS]):
        yield from batch
        number = batch[-1].number + 1


def _rate(unit: Unit, past: _Past) -> Rated:
    counted, one, other = facts_of(unit), unit.south_id, unit.north_id
    # Read first, since a unit that no longer counts may change them, too.
    standings = past.standing(one), past.standing(other)
    if unit.quarters is None:
        return Rated(counted, WhyNot.STAFF if unit.taken_out else WhyNot.VOID)
    loser = None if counted.loser is None else (one if counted.loser == one else other)
    why = why_not(counted, past.losses(loser) if loser else (), past.pair(one, other))
    rated = Rated(counted, why) if why else play(counted, *standings)
    past.note(rated, loser, one, other)
    return rated


def _columns(unit: Unit) -> tuple[str | float | None, ...]:
    return tuple(getattr(unit, name) for name in UNIT_COLUMNS)


def _store(unit: Unit, rated: Rated) -> None:
    """Set the columns of a unit to what was computed."""
    unit.why = rated.why
    states: list[State | None] = [None] * 4
    if rated.before is not None and rated.after is not None:
        states = [*rated.before, *rated.after]
    values: list[float | None] = []
    for state in states:
        if state is None:
            values += [None] * 3
        else:
            values += [state.rating, state.deviation, state.volatility]
    for name, value in zip(STATE_COLUMNS, values, strict=True):
        setattr(unit, name, value)


# The ORM's bulk update takes thirty times as long.
SET_COLUMNS = ", ".join(f"{name} = %s" for name in UNIT_COLUMNS)
WRITE_UNIT = f"UPDATE ratings_unit SET {SET_COLUMNS} WHERE id = %s"  # noqa: S608 - names of ours


def _write(units: list[Unit]) -> int:
    with connection.cursor() as cursor:
        cursor.executemany(WRITE_UNIT, [(*_columns(unit), unit.pk) for unit in units])
    return len(units)


def _write_ratings(family: str, past: _Past) -> None:
    """Write the ratings of the players of the replayed units."""
    rows = Rating.objects.filter(family=family, user__in=past.standings)
    rows.filter(user__in=[user for user, s in past.standings.items() if s.at is None]).delete()
    Rating.objects.bulk_create(
        _ratings(family, past),
        update_conflicts=True,
        unique_fields=["user", "family"],
        update_fields=[*RATING_COLUMNS, "leads_until"],
    )


def _ratings(family: str, past: _Past) -> list[Rating]:
    """The ratings of the players that have one."""
    return [
        _rating(family, user, standing, past.counted[user])
        for user, standing in past.standings.items()
        if standing.at is not None
    ]


def _rating(family: str, user: int, standing: Standing, counted: int) -> Rating:
    state = standing.state
    assert standing.at is not None  # noqa: S101 - for the type checker
    return Rating(
        user_id=user,
        family=family,
        rating=state.rating,
        deviation=state.deviation,
        volatility=state.volatility,
        last_at=standing.at,
        counted=counted,
        leads_until=leads_until(standing, counted),
    )


def _standing_after(unit: Unit, user: int) -> Standing:
    side = SIDES[0] if unit.south_id == user else SIDES[1]
    after = State(
        getattr(unit, f"{side}_after"),
        getattr(unit, f"{side}_after_deviation"),
        getattr(unit, f"{side}_after_volatility"),
    )
    return replace(Standing(), state=after, at=unit.final_at)
