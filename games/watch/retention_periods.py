"""Retention period of following."""

from datetime import timedelta

from games.watch.models import Follow
from lib.retention import Kept, by_date

KEPT = (
    Kept(
        "who follows which match",
        timedelta(days=30),
        "the end of the match",
        "`follow_ended`",
        by_date(Follow, "ended_at"),
        Follow,
    ),
)
