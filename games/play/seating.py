"""A match and its players as they are now, by one query: where every page and action begins."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models.functions import Now

from games.play.models.match import Match, Player
from games.play.queries import ReadyQuery
from games.relay.moment import as_told
from games.rules.core.army import Seat

PLAYER = tuple(field.attname for field in Player._meta.concrete_fields)
MATCH = tuple(field.attname for field in Match._meta.concrete_fields)
USER = ("id", "username", "rest", "away_until")  # more is hardly ever asked of a player


class Seated(NamedTuple):
    """Who plays, South first; asked at an instant of the database's clock."""

    match: Match
    players: dict[Seat, Player]
    at: datetime


def seated(match_id: int) -> Seated:
    """The match with its players and their users; raises Match.DoesNotExist."""
    players: dict[Seat, Player] = {}
    for row in _players(match_id=match_id):
        values = iter(row)
        player: Player = _instance(Player, PLAYER, values)
        player.match = match = _instance(Match, MATCH, values)
        player.user = _instance(get_user_model(), USER, values)
        players[Seat(player.seat)] = player
        at = as_told(next(values))
    if not players:
        raise Match.DoesNotExist(f"There is no match {match_id}.")
    return Seated(match, players, at)


@ReadyQuery
def _players(match_id: int) -> "models.QuerySet[Any, Any]":
    joined = (*(f"match__{name}" for name in MATCH), *(f"user__{name}" for name in USER))
    players = Player.objects.filter(match=match_id).order_by("seat")
    return players.values_list(*PLAYER, *joined, Now())


def _instance(model: type[models.Model], names: tuple[str, ...], values: Iterator[Any]) -> Any:
    return model.from_db(DEFAULT_DB_ALIAS, names, [next(values) for _ in names])
