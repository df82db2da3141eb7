"""Rules and help, one click from any board."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.play.boards import emblem
from games.rules import registry
from games.rules.core.army import Seat

SHOWN = "lattaque-en"


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """How a match runs, and the rules; the army is drawn from the rules' own data."""
    rules = registry.ruleset(SHOWN)
    army = [
        {
            "emblem": emblem(rules, Seat.SOUTH, troop.rank),
            "letter": troop.rank,
            "name": _(troop.name),
            "number": troop[1],
        }
        for troop in rules.army
    ]
    context = {"army": army, "editions": registry.systems["lattaque"]}
    return render(request, "help.html", context)
