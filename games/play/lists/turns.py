"""A player's turns as rows with only the columns that programs read.

A turn that the player's plan will answer is not among them.
"""

from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, QuerySet

from games.play.models.match import Player
from games.play.record.sealed.answering_plans import plan_answers
from games.rules.core.basics.pieces import Seat
from lib.database.prepared_queries import PreparedQuery

MAX_TURNS = 100


class Turn(NamedTuple):
    """A match in which it is the player's turn."""

    match: int
    preset: str
    status: str
    ply: int  # the newest
    seat: int  # the player's own
    deadline: datetime | None
    draw_offer: int | None  # the seat that offers
    pause_offer: int | None
    opponent: str  # username


def turns(user_id: int) -> list[Turn]:
    """The player's turns, the nearest deadline first; at most MAX_TURNS, one query."""
    return [Turn(*row) for row in _turns(user_id=user_id)]


@PreparedQuery
def _turns(user_id: int) -> QuerySet[Any, Any]:
    other = Seat.SOUTH + Seat.NORTH - F("seat")
    seats = Player.objects.filter(
        ~plan_answers(), user=user_id, live=True, to_act=True, match__players__seat=other
    )
    return seats.order_by(F("deadline").asc(nulls_last=True), "match_id").values_list(
        "match_id",
        "match__preset",
        "match__status",
        "match__ply",
        "seat",
        "deadline",
        "match__draw_offer",
        "match__pause_offer",
        "match__players__user__username",
    )[:MAX_TURNS]
