"""Opponents of a user in running matches, for staff who play: they may not act on one another."""

from games.play.models.match import Player


def running_opponents(user_id: int | None) -> set[int]:
    """The users with whom this one sits in a running match; one query."""
    mine = Player.objects.filter(user=user_id, live=True).values("match")
    others = Player.objects.filter(match__in=mine).exclude(user=user_id)
    return set(others.values_list("user", flat=True))
