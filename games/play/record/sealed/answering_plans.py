"""Query expressions: whether a plan will answer the turn of its player, and when.

Only lists of the plan's own player may use them.
"""

from django.db.models import Case, F, Q, When

from games.play.models.plan import PlanState
from games.rules.core.basics.pieces import Seat


def plan_answers() -> Q:
    """Of a player: whether an answer of their plan waits for this turn, and nothing holds it."""
    other = Seat.SOUTH + Seat.NORTH - F("seat")
    offered = Q(match__draw_offer=other) | Q(match__pause_offer=other)
    return ~offered & Q(
        plan__state=PlanState.STANDING,
        plan__due_at__isnull=False,
        plan__counts_at__isnull=False,
        match__ply=F("plan__ply") + 1 + F("match__newest_looks"),
        match__paused_at=None,
    )


def plan_answers_at() -> Case:
    """Of a player: the instant of the answer of `plan_answers`; null for none."""
    return Case(When(plan_answers(), then=F("plan__counts_at")))
