"""The matches of a player as lean rows: what their front page says of each, and no more."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, QuerySet

from games.play.models.match import Match, Player, Status
from games.play.queries import ReadyQuery
from games.rules.core.army import Seat

MOST = 50  # matches of each kind on the front page


class Listed(NamedTuple):
    """A match of a player: the columns of their seat, of the match and of the other seat."""

    seat: int
    to_act: bool
    deadline: datetime | None
    number: int  # of the match
    preset: str
    switches: dict[str, Any]
    status: str
    draw_offer: int | None
    paused_at: datetime | None
    twin_id: int | None
    opponent: str  # their handle
    opponent_deadline: datetime | None


def on_turn(user_id: int) -> list[Listed]:
    """Where the player is to act, the nearest deadline first."""
    return [Listed(*row) for row in seats_on_turn(user_id=user_id)]


def not_on_turn(user_id: int) -> list[Listed]:
    """Where somebody else is to act, the newest first."""
    return [Listed(*row) for row in seats_not_on_turn(user_id=user_id)]


def unseen(user_id: int) -> list[Listed]:
    """What has ended and was not looked at by the player since."""
    return [Listed(*row) for row in seats_unseen(user_id=user_id)]


def whole(listed: Iterable[Listed]) -> dict[int, Match]:
    """Those that have ended or belong to a set, with their twins; at most one query."""
    wanted = [
        each.number
        for each in listed
        if each.twin_id is not None or each.status not in Status.live()
    ]
    return Match.objects.select_related("twin").in_bulk(wanted)


@ReadyQuery
def seats_on_turn(user_id: int) -> QuerySet[Any, Any]:
    seats = _both_sides(user_id).filter(to_act=True)
    return seats.order_by(F("deadline").asc(nulls_last=True), "match_id")[:MOST]


@ReadyQuery
def seats_not_on_turn(user_id: int) -> QuerySet[Any, Any]:
    seats = _both_sides(user_id).filter(live=True, to_act=False)
    return seats.order_by("-match_id")[:MOST]


@ReadyQuery
def seats_unseen(user_id: int) -> QuerySet[Any, Any]:
    return _both_sides(user_id).filter(unseen=True).order_by("match_id")[:MOST]


def _both_sides(user_id: int) -> QuerySet[Any, Any]:
    other = Seat.SOUTH + Seat.NORTH - F("seat")
    return Player.objects.filter(user=user_id, match__players__seat=other).values_list(
        "seat",
        "to_act",
        "deadline",
        "match_id",
        "match__preset",
        "match__switches",
        "match__status",
        "match__draw_offer",
        "match__paused_at",
        "match__twin_id",
        "match__players__user__username",
        "match__players__deadline",
    )
