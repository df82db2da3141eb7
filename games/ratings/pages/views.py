"""Views of ratings: leader tables, and a player's results in a game. All are public."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.play.converters import read_number
from games.ratings.pages import graph, leaders, results
from games.ratings.pages.results import Point, Standing
from games.rules import registry
from lib.db_clock import now


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """The first rows of each game's table."""
    at = now()
    games = [(family, registry.title(family), leaders.top(family, at)) for family in registry.games]
    return render(request, "ratings/index.html", {"games": games})


@require_safe
@never_cache
def family(request: HttpRequest, family: str) -> HttpResponse:
    """The leader table of a game; `?after=` is the last user of the page before."""
    if family not in registry.games:
        raise Http404
    after = read_number(request.GET.get("after", ""))
    context = {
        "page": leaders.page(family, after),
        "later": after is not None,
        "game": family,
        "games": {name: registry.title(name) for name in registry.games},
        "title": registry.title(family),
    }
    return render(request, "ratings/family.html", context)


@require_safe
@never_cache
def person(request: HttpRequest, handle: str, family: str) -> HttpResponse:
    """A player's rating in a game: its graph, and the newest results."""
    if family not in registry.games:
        raise Http404
    person = get_object_or_404(User, username__iexact=handle, pending=False)
    if person.kind != "person":
        raise Http404
    title = registry.title(family)
    standing = next(iter(results.standings(person, family)), None)
    context = {
        "person": person,
        "game": family,
        "title": title,
        "standing": standing,
        "results": results.newest(person, family),
        "graph": standing and _graph(person, standing),
    }
    return render(request, "ratings/person.html", context)


def _graph(person: User, standing: Standing) -> str:
    """The graph up to today, when the deviation is that of the shown rating."""
    points = results.points(person, standing.family)
    if not points:
        return ""
    last = Point(now(), points[-1].rating, standing.shown.deviation)
    name = _("Rating of %(person)s in %(game)s") % {"person": person, "game": _(standing.title)}
    return graph.draw([*points, last], name)
