"""Pages of a player's own matches, newest first, each found by the match that it follows."""

from django.db.models import Prefetch, QuerySet

from games.play.models.match import Match, Player


def page(user_id: int, *, live: bool | None, before: int | None, most: int) -> list[Match]:
    """At most `most` matches with both players; two queries.

    `live`: whether the match is not over; None for both. `before`: only older matches than this.
    """
    both = Prefetch("match__players", Player.objects.select_related("user").order_by("seat"))
    found = seats(user_id, live=live, before=before).select_related("match")
    return [seat.match for seat in found.prefetch_related(both)[:most]]


def seats(user_id: int, *, live: bool | None, before: int | None) -> QuerySet[Player]:
    """The player's seats in these matches, newest first."""
    found = Player.objects.filter(user=user_id).order_by("-match_id")
    if live is not None:
        found = found.filter(live=live)
    return found if before is None else found.filter(match_id__lt=before)
