"""A match and its players as they are now, by one query: where every page and action begins."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import Case, Count, Exists, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce, Now

from games.play.models.draft import Draft
from games.play.models.match import Match, Player
from games.play.models.time import Adjustment
from games.play.queries import ReadyQuery, Row
from games.relay.moment import as_told
from games.rules.core.army import Seat

PLAYER = tuple(field.attname for field in Player._meta.concrete_fields)
MATCH = tuple(field.attname for field in Match._meta.concrete_fields)
USER = ("id", "username", "rest", "away_until")  # more is hardly ever asked of a player
# In a row, they follow each other; then the instant, and what is told beside.
MATCH_FROM, USER_FROM = len(PLAYER), len(PLAYER) + len(MATCH)
INSTANT = USER_FROM + len(USER)


class Seated(NamedTuple):
    """Who plays, South first; asked at an instant of the database's clock."""

    match: Match
    players: dict[Seat, Player]
    at: datetime


def seated(match_id: int) -> Seated:
    """The match with its players and their users; raises Match.DoesNotExist."""
    return _one(match_id, _acting(match_id=match_id))


def shown(match_id: int, reader_id: int | None) -> Seated:
    """The same for a page, which tells a reader's own `waiting` and `drafted` as well."""
    return _one(match_id, _shown(match_id=match_id, reader_id=reader_id))


def all_shown(match_ids: Iterable[int], reader_ids: Iterable[int]) -> dict[int, Seated]:
    """The same for many at once, by their ids, without those that are not there."""
    beside = _beside(Q(user__in=reader_ids))
    return _tables(_joined(Player.objects.filter(match__in=match_ids), *beside))


@ReadyQuery
def _acting(match_id: int) -> "models.QuerySet[Any, Any]":
    return _joined(Player.objects.filter(match=match_id))


@ReadyQuery
def _shown(match_id: int, reader_id: int | None) -> "models.QuerySet[Any, Any]":
    return _joined(Player.objects.filter(match=match_id), *_beside(Q(user=reader_id)))


def _joined(
    players: "models.QuerySet[Player]", *beside: Case | Exists
) -> "models.QuerySet[Any, Any]":
    joined = (*(f"match__{name}" for name in MATCH), *(f"user__{name}" for name in USER))
    return players.order_by("match", "seat").values_list(*PLAYER, *joined, Now(), *beside)


def _beside(reader: Q) -> tuple[Case, Case, Exists]:
    """Three small things; by queries of their own, they would cost as much as all the rest."""
    waiting = Player.objects.filter(user=OuterRef("user"), to_act=True).values("user")
    count = Coalesce(Subquery(waiting.values(count=Count("pk"))), 0)
    drafts = Draft.objects.filter(player=OuterRef("pk"))
    return (
        Case(When(reader, then=count), default=0),
        Case(When(reader, then=Exists(drafts)), default=False),
        Exists(Adjustment.objects.filter(match=OuterRef("match"))),
    )


def _one(match_id: int, rows: Iterable[Row]) -> Seated:
    found = _tables(rows)
    if not found:
        raise Match.DoesNotExist(f"There is no match {match_id}.")
    return found[match_id]


def _tables(rows: Iterable[Row]) -> dict[int, Seated]:
    found: dict[int, Seated] = {}
    for row in rows:
        player: Player = _instance(Player, PLAYER, row[:MATCH_FROM])
        if player.match_id not in found:
            match = _instance(Match, MATCH, row[MATCH_FROM:USER_FROM])
            found[match.id] = Seated(match, {}, as_told(row[INSTANT]))
        player.match, players, _at = found[player.match_id]
        player.user = _instance(get_user_model(), USER, row[USER_FROM:INSTANT])
        if beside := row[INSTANT + 1 :]:
            player.waiting, player.drafted, player.match.adjusted = beside
        players[Seat(player.seat)] = player
    return found


def _instance(model: type[models.Model], names: tuple[str, ...], values: Row) -> Any:
    return model.from_db(DEFAULT_DB_ALIAS, names, values)
