"""Pages of a player's own matches, newest first, each found by the match that it follows."""

from django.db.models import Prefetch, QuerySet, prefetch_related_objects

from games.play.models.match import Match, Player


def page(user_id: int, *, live: bool | None, before: int | None, most: int) -> list[Match]:
    """At most `most` matches with both players; two queries, three for both kinds of matches.

    `live`: whether the match is not over; None for both. `before`: only older matches than this.
    """
    both = Prefetch("match__players", Player.objects.select_related("user").order_by("seat"))
    own_seats = [
        seat
        for kind in ((True, False) if live is None else (live,))
        for seat in seats(user_id, live=kind, before=before).select_related("match")[:most]
    ]
    own_seats = sorted(own_seats, key=lambda seat: seat.match_id, reverse=True)[:most]
    prefetch_related_objects(own_seats, both)
    return [seat.match for seat in own_seats]


def seats(user_id: int, *, live: bool, before: int | None) -> QuerySet[Player]:
    """The player's seats in these matches, newest first."""
    own_seats = Player.objects.filter(user=user_id, live=live).order_by("-match_id")
    if not live:
        own_seats = own_seats.filter(
            to_act=False
        )  # always so; named so that an index has this order
    return own_seats if before is None else own_seats.filter(match_id__lt=before)
