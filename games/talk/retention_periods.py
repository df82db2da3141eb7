"""Retention periods of talk."""

from datetime import timedelta

from django.db.models import Q

from games.talk.models import Line
from lib.retention import Kept, oldest_first

KEPT = (
    Kept(
        "what the two players of a match wrote to each other",
        timedelta(days=365),
        "the end of the match",
        "the primary key",
        oldest_first(Line, "at", lambda horizon: Q(match__finished_at__lt=horizon)),
        Line,
    ),
)
