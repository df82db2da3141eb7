"""Pages of a player's own matches, newest first, each found by the match that it follows."""

from django.db.models import Prefetch

from games.play.models.match import Match, Player


def page(user_id: int, *, live: bool | None, before: int | None, most: int) -> list[Match]:
    """At most `most` matches with both players; two queries.

    `live`: whether the match is not over; None for both. `before`: only older matches than this.
    """
    both = Prefetch("match__players", Player.objects.select_related("user").order_by("seat"))
    seats = Player.objects.filter(user=user_id).select_related("match").prefetch_related(both)
    if live is not None:
        seats = seats.filter(live=live)
    if before is not None:
        seats = seats.filter(match_id__lt=before)
    return [seat.match for seat in seats.order_by("-match_id")[:most]]
