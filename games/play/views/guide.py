"""Rules and help, one click from any board."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.play.boards import emblem
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.ruleset import Ruleset


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """How a match runs, and the rules; the armies are drawn from the rules' own data."""
    books = {
        family: {"army": _army(editions[0]), "editions": editions}
        for family, editions in registry.systems.items()
    }
    return render(request, "help.html", {"books": books})


def _army(rules: Ruleset) -> list[dict[str, object]]:
    """A line for each kind of piece: how it looks, its letter, its name, how many there are."""
    return [
        {
            "emblem": emblem(rules, Seat.SOUTH, troop.rank),
            "letter": troop.rank,
            "name": _(troop.name),
            "number": troop.number,
        }
        for troop in rules.army
    ]
