"""What is kept of clocks for how long; matches and their plies are kept for good."""

from datetime import timedelta

from django.db.models import Q

from accounts.retention import Kept, oldest_first
from games.play.models.time import Adjustment, HourlyTimeouts, Outage, Vacation

A_YEAR = timedelta(days=365)

KEPT = (
    Kept(
        "entries of a match's clock log: time given, given back, pauses, vacations",
        A_YEAR,
        "the entry",
        "the primary key",
        oldest_first(Adjustment, "at", lambda horizon: Q(at__lt=horizon)),
        Adjustment,
    ),
    Kept(
        "outages of the service",
        # Longer than the entries that refer to them.
        A_YEAR + timedelta(days=30),
        "their end",
        "the primary key",
        oldest_first(Outage, "end", lambda horizon: Q(end__lt=horizon, credited_at__lt=horizon)),
        Outage,
    ),
    Kept(
        "vacations",
        2 * A_YEAR,
        "their end",
        "the primary key",
        oldest_first(Vacation, "start", lambda horizon: Q(end__lt=horizon, unannounced=False)),
        Vacation,
    ),
    Kept(
        "how many matches ended on time, by the hour",
        timedelta(days=60),
        "the hour",
        "the primary key",
        oldest_first(HourlyTimeouts, "hour", lambda horizon: Q(hour__lt=horizon)),
        HourlyTimeouts,
    ),
)
