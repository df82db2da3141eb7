"""Retention periods of clock data; matches and plies are kept forever."""

from datetime import timedelta

from django.db.models import Q

from games.play.clocks.breaker import USUAL_WINDOW, settled_losses
from games.play.models.look import Look
from games.play.models.time import Adjustment, HeavyRequest, LossOnTime, Outage, Vacation
from lib.retention import Kept, by_date, oldest_first

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
        "requests that took seconds of processor time",
        timedelta(days=30),
        "their end",
        "`heavy_request_end`",
        by_date(HeavyRequest, "end"),
        HeavyRequest,
    ),
    Kept(
        "requests to see both armies of a match that nobody agreed to; the others stay with the "
        "match",
        timedelta(days=30),
        "the request",
        "the primary key",
        oldest_first(Look, "asked_at", lambda horizon: Q(asked_at__lt=horizon, agreed_at=None)),
        Look,
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
        "who lost on time when, with which the circuit breaker compares",
        USUAL_WINDOW,
        "the loss",
        "`loss_on_time_at`",
        by_date(LossOnTime, "at", settled_losses),
        LossOnTime,
    ),
)
