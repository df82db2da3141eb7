"""A match and its players as they are now, by one query: where every page and action begins."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models.functions import Now

from games.play.models.match import Match, Player
from games.play.queries import ReadyQuery, Row
from games.relay.moment import as_told
from games.rules.core.army import Seat

PLAYER = tuple(field.attname for field in Player._meta.concrete_fields)
MATCH = tuple(field.attname for field in Match._meta.concrete_fields)
USER = ("id", "username", "rest", "away_until")  # more is hardly ever asked of a player
# In a row, they follow each other, and the instant comes last.
MATCH_FROM, USER_FROM = len(PLAYER), len(PLAYER) + len(MATCH)


class Seated(NamedTuple):
    """Who plays, South first; asked at an instant of the database's clock."""

    match: Match
    players: dict[Seat, Player]
    at: datetime


def seated(match_id: int) -> Seated:
    """The match with its players and their users; raises Match.DoesNotExist."""
    found = _tables(_players(match_id=match_id))
    if not found:
        raise Match.DoesNotExist(f"There is no match {match_id}.")
    return found[match_id]


def all_seated(match_ids: Iterable[int]) -> dict[int, Seated]:
    """The same for many matches at once, by their ids, without those that are not there."""
    return _tables(_joined(Player.objects.filter(match__in=match_ids)))


@ReadyQuery
def _players(match_id: int) -> "models.QuerySet[Any, Any]":
    return _joined(Player.objects.filter(match=match_id))


def _joined(players: "models.QuerySet[Player]") -> "models.QuerySet[Any, Any]":
    joined = (*(f"match__{name}" for name in MATCH), *(f"user__{name}" for name in USER))
    return players.order_by("match", "seat").values_list(*PLAYER, *joined, Now())


def _tables(rows: Iterable[Row]) -> dict[int, Seated]:
    found: dict[int, Seated] = {}
    for row in rows:
        player: Player = _instance(Player, PLAYER, row[:MATCH_FROM])
        if player.match_id not in found:
            match = _instance(Match, MATCH, row[MATCH_FROM:USER_FROM])
            found[match.id] = Seated(match, {}, as_told(row[-1]))
        player.match, players, _at = found[player.match_id]
        player.user = _instance(get_user_model(), USER, row[USER_FROM:-1])
        players[Seat(player.seat)] = player
    return found


def _instance(model: type[models.Model], names: tuple[str, ...], values: Row) -> Any:
    return model.from_db(DEFAULT_DB_ALIAS, names, values)
