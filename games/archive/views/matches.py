"""Finished matches. What a reader sees of one comes from a Look, here as everywhere."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.archive import catalogue, replay
from games.archive.forms import SearchForm
from games.archive.views.asking import as_file, eyes, number
from games.play import narration, sets, sight
from games.play.models.match import Match, Status
from games.play.scene import NoSuchPly
from games.rules.core.record import write_record


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """Finished matches, all or those that are searched for, a page at a time."""
    form = SearchForm(request.GET)
    page = None
    if form.is_valid():
        newer, older = (number(request, name) for name in ("newer_than", "older_than"))
        page = catalogue.page(form.matches(), newer_than=newer, older_than=older)
    return render(request, "archive/index.html", {"form": form, "page": page})


@require_safe
@never_cache
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """A finished match at one ply (`?ply=`), through somebody's eyes (`?eyes=`)."""
    found = get_object_or_404(Match, pk=match_id)
    shown = number(request, "ply")
    if found.status != Status.FINISHED:
        # The table has its own looking back, for those who may.
        query = "" if shown is None else f"?ply={shown}"
        return redirect(reverse("play:match", args=[match_id]) + query)
    try:
        look = sight.look(match_id, request.user, shown=shown, viewpoint=eyes(request))
    except NoSuchPly:
        raise Http404 from None
    except sight.NotForThoseEyes:
        # An ending by time may be taken back, so that one's own eyes are all there is for a while.
        return redirect(request.path if shown is None else f"{request.path}?ply={shown}")
    viewpoints = sight.viewpoints(look.match, look.seat, look.now)
    context = replay.page(look, viewpoints, sight.entries(look.match, *replay.span(look)))
    context |= {"match": look.match, "result": narration.ending(look), "set": sets.told(look)}
    return render(request, "archive/match.html", context)


@require_safe
@never_cache
def record(request: HttpRequest, match_id: int) -> HttpResponse:
    """The game record as a text file, with what this reader may know of it."""
    try:
        found = sight.record(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    return as_file(write_record(found), f"match-{match_id}.txt")
