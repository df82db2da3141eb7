"""Query expressions: whether a plan will answer the turn of its player, and when.

Only lists of the plan's own player may use them.
"""

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from games.play.models.plan import Plan, PlanState
from games.rules.core.basics.pieces import Seat


def plan_answers() -> Exists:
    """Of a player: whether an answer of their plan waits for this turn, and nothing holds it."""
    return Exists(_answering())


def plan_answers_at() -> Subquery:
    """Of a player: the instant of the answer of `plan_answers`; null for none."""
    return Subquery(_answering().values("counts_at")[:1])


def _answering() -> QuerySet[Plan]:
    other = Seat.SOUTH + Seat.NORTH - F("player__seat")
    offered = Q(player__match__draw_offer=other) | Q(player__match__pause_offer=other)
    waits = Plan.objects.filter(
        player=OuterRef("pk"),
        state=PlanState.STANDING,
        due_at__isnull=False,
        counts_at__isnull=False,
        player__match__ply=F("ply") + 1 + F("player__match__newest_looks"),
        player__match__paused_at=None,
    )
    return waits.exclude(offered)
