"""Opponents of a user in running matches; staff who play may not act on their opponents."""

from games.play.models.match import Player


def running_opponents(user_id: int | None) -> set[int]:
    """The ids of a user's opponents in running matches; one query."""
    mine = Player.objects.filter(user=user_id, live=True).values("match")
    others = Player.objects.filter(match__in=mine).exclude(user=user_id)
    return set(others.values_list("user", flat=True))
