"""What a profile says of a player as an opponent: reliability, and results against the reader."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count

from games.people.models import Reliability
from games.play.models.match import Player, Status
from games.rules import registry
from games.rules.core.basics.pieces import Seat


class HeadToHead(NamedTuple):
    """Finished matches of two players, counted as one of them sees them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0


def reliability(user_id: int) -> Reliability:
    """A player's row, or one of zeros; one query."""
    row = Reliability.objects.filter(user=user_id).first()
    return row or Reliability(user_id=user_id)


def head_to_head(user_id: int, other_id: int) -> HeadToHead:
    """The finished matches of two players, as `user_id` sees them; one query."""
    own_seats = Player.objects.filter(
        user=user_id, live=False, match__status=Status.FINISHED, match__players__user=other_id
    )
    rows = own_seats.order_by().values_list("seat", "match__preset", "match__result")
    won = drawn = lost = 0
    for seat, preset, result, count in rows.annotate(count=Count("pk")):
        if result == "draw":
            drawn += count
        elif result == registry.ruleset(preset).seat_letters[Seat(seat)]:
            won += count
        else:
            lost += count
    return HeadToHead(won, drawn, lost)
