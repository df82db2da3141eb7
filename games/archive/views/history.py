"""A player's own finished matches, page by page, with their results in each game."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import PersonsRequest
from games.archive import finished_matches, results


@require_safe
@login_required
@never_cache
def index(request: PersonsRequest) -> HttpResponse:
    """The reader's finished matches, newest first, below the results of all of them."""
    matches = finished_matches.played_by(finished_matches.finished(), request.user)
    newer, older = (request.GET.get(name, "") for name in ("newer_than", "older_than"))
    page = finished_matches.page(matches, newer_than=newer, older_than=older)
    context = {
        "page": page,
        "lines": [(match, results.side_of(match, request.user)) for match in page.matches],
        "totals": results.totals(request.user),
    }
    return render(request, "archive/history.html", context)
