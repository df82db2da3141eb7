"""A player's rated results: ratings by game, won-drawn-lost, the newest ones, the graph's points.

Each function makes the same number of queries however many results there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import TruncWeek

from accounts.models import User
from games.play.models.match import Match, Player, Status
from games.ratings.glicko.formula import State
from games.ratings.models import Rating, Unit
from games.ratings.pages import sentences
from games.ratings.shown import Shown, of_state, show
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now

NEWEST = 20  # results in the table
GRAPH_PERIOD = timedelta(days=3 * 365)
MAX_POINTS = 199  # of the graph, which adds today


class Record(NamedTuple):
    """How many results were won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: object) -> Record:
        return Record(*(a + b for a, b in zip(self, other, strict=True)))  # type: ignore[call-overload]


class Standing(NamedTuple):
    """A player's rating in a game; `by_seat` has names of sides, if they differ in the game."""

    family: str
    title: str
    shown: Shown
    record: Record
    by_seat: list[tuple[str, Record]]


class Point(NamedTuple):
    """A rating and its deviation after a result."""

    at: datetime
    rating: float
    deviation: float


class Result(NamedTuple):
    """A rated result as its player sees it; `change` says what it did, or why it does not count."""

    at: datetime
    match: Match
    opponent: User
    score: str
    change: str


def standings(person: User, family: str | None = None) -> list[Standing]:
    """A player's ratings, in all games or one, in the order of the games; at most four queries."""
    ratings = Rating.objects.filter(user=person)
    if family is not None:
        ratings = ratings.filter(family=family)
    rows = {row.family: row for row in ratings}
    if not rows:
        return []
    at, records = now(), _records(person, rows)
    seats = _by_seat(person, [name for name in rows if _sides_differ(name)])
    return [
        Standing(
            family=name,
            title=registry.title(name),
            shown=show(rows[name], at),
            record=records.get(name, Record()),
            by_seat=seats.get(name, []),
        )
        for name in registry.games
        if name in rows
    ]


def newest(person: User, family: str) -> list[Result]:
    """The newest rated results of a player in a game, also those that do not count; two queries.

    In one, PostgreSQL would join all units of the player before it takes the newest.
    """
    own_units = _units_of(person).filter(family=family).order_by("-number")
    numbers = list(own_units.values_list("number", flat=True)[:NEWEST])
    units = Unit.objects.filter(family=family, number__in=numbers).order_by("-number")
    return [_result(unit, person) for unit in units.select_related("match", "south", "north")]


def points(person: User, family: str) -> list[Point]:
    """The points of the graph, oldest first: the last counted result of each week; two queries."""
    counted = _units_of(person).filter(family=family, why="", final_at__gt=now() - GRAPH_PERIOD)
    weeks = counted.annotate(week=TruncWeek("final_at", tzinfo=UTC)).order_by().values("week")
    numbers = sorted(weeks.annotate(last=Max("number")).values_list("last", flat=True))
    units = Unit.objects.filter(family=family, number__in=numbers[-MAX_POINTS:])
    return [_point(unit, person) for unit in units.order_by("number")]


def change(before: State, after: State) -> str:
    """What a result did to a rating: "1534 to 1546 (+12)"."""
    old, new = of_state(before), of_state(after)
    return sentences.change(old, new)


def states(unit: Unit, user_id: int) -> tuple[State, State]:
    """A player's states before and after a unit that counts."""
    side = "south" if unit.south_id == user_id else "north"
    return _state(unit, f"{side}_before"), _state(unit, f"{side}_after")


def _state(unit: Unit, name: str) -> State:
    return State(*(getattr(unit, f"{name}{part}") for part in ("", "_deviation", "_volatility")))


def _units_of(person: User) -> QuerySet[Unit]:
    return Unit.objects.filter(Q(south=person) | Q(north=person))


def _records(person: User, families: Iterable[str]) -> dict[str, Record]:
    """Counted units that were won, drawn and lost, by game."""
    south, north = Q(south=person), Q(north=person)
    counted = _units_of(person).filter(why="", family__in=list(families)).order_by()
    rows = counted.values("family").annotate(
        won=Count("pk", filter=(south & Q(quarters__gt=2)) | (north & Q(quarters__lt=2))),
        drawn=Count("pk", filter=Q(quarters=2)),
        lost=Count("pk", filter=(south & Q(quarters__lt=2)) | (north & Q(quarters__gt=2))),
    )
    return {row["family"]: Record(row["won"], row["drawn"], row["lost"]) for row in rows}


def _by_seat(person: User, families: list[str]) -> dict[str, list[tuple[str, Record]]]:
    """The results of single matches of counted units, by side."""
    if not families:
        return {}
    editions = {rules.key: name for name in families for rules in registry.games[name]}
    counted = Unit.objects.filter(
        Q(match=OuterRef("match")) | Q(match=OuterRef("match__twin")), why=""
    )
    seats = Player.objects.filter(
        Exists(counted),
        user=person,
        live=False,
        match__rated=True,
        match__status=Status.FINISHED,
        match__preset__in=list(editions),
    )
    rows = seats.order_by().values_list("match__preset", "seat", "match__result")
    records = {(name, seat): Record() for name in families for seat in Seat}
    for preset, seat, result, count in rows.annotate(count=Count("pk")):
        key = editions[preset], Seat(seat)
        records[key] += _equal_results(preset, Seat(seat), result, count)
    return {
        name: [(registry.games[name][0].seat_names[seat], records[name, seat]) for seat in Seat]
        for name in families
    }


def _equal_results(preset: str, seat: Seat, result: str, count: int) -> Record:
    """This many equal results of one seat."""
    if result == "draw":
        return Record(drawn=count)
    won = result == registry.ruleset(preset).seat_letters[seat]
    return Record(won=count) if won else Record(lost=count)


def _sides_differ(family: str) -> bool:
    """Whether the two sides of a game have different armies."""
    return any(rules.sets for rules in registry.games[family])


def _point(unit: Unit, person: User) -> Point:
    _before, after = states(unit, person.pk)
    return Point(unit.final_at, after.rating, after.deviation)


def _result(unit: Unit, person: User) -> Result:
    is_south = unit.south_id == person.pk
    return Result(
        at=unit.finished_at,
        match=unit.match,
        opponent=unit.north if is_south else unit.south,
        score=sentences.score(
            unit.quarters, is_set=unit.match.twin_id is not None, turned=not is_south
        ),
        change=sentences.why_not(unit.why) if unit.why else change(*states(unit, person.pk)),
    )
