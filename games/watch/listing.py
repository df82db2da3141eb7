"""Matches to watch: the list of visitors, filtered and ordered, page by page.

Which matches are listed is worked out by each process at most once a minute, from the newest ones,
so a page costs the same whatever runs. Whose turn it is is read with each page.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Count, Max, OuterRef, Prefetch, Q, QuerySet, Subquery

from games.play.models.match import Match, Player, Status
from games.rules import registry

NEWEST = 1000  # matches of which some are listed
FEWEST_MOVES = 4  # two of each player
MATCHES_A_PAGE = 20
FINISHED = 6  # shown below the list
LIFETIME_SECONDS = 60


class Running(NamedTuple):
    """A match of the list."""

    number: int  # the match id
    family: str
    moves: int  # of both players
    of_people: bool  # neither against the computer nor of a bot
    moved_at: datetime | None
    event: str  # Match.event


class Row(NamedTuple):
    """A match with its players; `mover` is to move since `since`."""

    match: Match
    mover: Player | None
    since: datetime | None


class Page(NamedTuple):
    """Rows of the list; `after` is the match id after which the next page starts, if any.

    `is_first`: no page comes before.
    """

    rows: Sequence[Row]
    after: int | None
    is_first: bool


def listed() -> tuple[Running, ...]:
    """The listed matches, the newest first; a query at most once a minute in each process."""
    return _listed_in(int(time.time() // LIFETIME_SECONDS))


def forget() -> None:
    """Work the list out again for the next page of this process."""
    _listed_in.cache_clear()


def page(
    *,
    family: str = "",
    event: str = "",
    longest: bool = False,
    programs: bool = False,
    after: int | None = None,
) -> Page:
    """The page after the match `after`, or the first one if that match is not in the list.

    `family`, `event`: matches of that game, ladder or tournament alone. `longest`: by moves instead
    of by age. `programs`: with those of house opponents and bots. Two queries.
    """
    chosen = [
        each
        for each in listed()
        if (programs or each.of_people)
        and family in ("", each.family)
        and event in ("", each.event)
    ]
    if longest:
        chosen.sort(key=lambda each: (-each.moves, -each.number))
    places = {each.number: place for place, each in enumerate(chosen, start=1)}
    start = places.get(after or 0, 0)
    shown = chosen[start : start + MATCHES_A_PAGE]
    more = len(chosen) > start + MATCHES_A_PAGE
    return Page(_rows(each.number for each in shown), shown[-1].number if more else None, not start)


def latest() -> int | None:
    """The listed match in which somebody moved last, people against each other first."""
    moved = [each for each in listed() if each.moved_at is not None]
    newest = max(moved, key=lambda each: (each.of_people, each.moved_at), default=None)
    return newest and newest.number


def lately_finished() -> Sequence[Match]:
    """The matches that ended last, with their players; two queries."""
    matches = Match.objects.filter(status=Status.FINISHED).order_by("-finished_at", "-pk")
    return list(matches.prefetch_related(both_players())[:FINISHED])


def row_of(match: Match) -> Row:
    """The row of a match whose players are prefetched."""
    players = list(match.players.all())
    mover = next((player for player in players if player.to_act), None)
    moved = [player.moved_at for player in players if player.moved_at is not None]
    return Row(match, mover, max(moved, default=None))


def both_players() -> Prefetch[str]:
    """Prefetches the players of matches with their users, South first."""
    return Prefetch("players", Player.objects.select_related("user").order_by("seat"))


def _rows(numbers: Iterable[int]) -> list[Row]:
    """The matches that are still running, in this order."""
    order = list(numbers)
    matches = Match.objects.filter(status=Status.RUNNING).prefetch_related(both_players())
    match_by_number = matches.in_bulk(order)
    return [row_of(match_by_number[number]) for number in order if number in match_by_number]


@lru_cache(maxsize=1)
def _listed_in(minute: int) -> tuple[Running, ...]:
    """The listed matches in a minute of the clock."""
    running = (
        Running(
            pk, registry.ruleset(preset).family, ply - opening - off_board, not programs, at, event
        )
        for pk, preset, event, ply, opening, off_board, programs, at in newest_rows()
    )
    return tuple(each for each in running if each.moves >= FEWEST_MOVES)


def newest_rows() -> QuerySet[Match, Any]:
    """The newest running matches that are listed, as columns; the last two are of their players."""
    seats = Player.objects.filter(match=OuterRef("pk")).order_by()
    moved = seats.values("match").annotate(last=Max("moved_at")).values("last")
    # Not by Exists (lists/opponents.py), for which PostgreSQL might read all matches of the house.
    # An erased bot plays no match.
    is_program = Q(user__house_level__gt="") | Q(user__owner__isnull=False)
    counted = seats.values("match").annotate(programs=Count("pk", filter=is_program))
    programs = Subquery(counted.values("programs"))
    columns = ("pk", "preset", "event", "ply", "opening", "off_board", programs, Subquery(moved))
    newest = Match.objects.filter(status=Status.RUNNING, listed=True).order_by("-pk")
    return newest.values_list(*columns)[:NEWEST]
