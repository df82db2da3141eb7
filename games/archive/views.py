"""The pages of the archive. What a reader sees of a match comes from a Look, here as everywhere."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.archive import catalogue, replay
from games.archive.forms import SearchForm
from games.play import narration, sight
from games.play.boards import draw
from games.play.choices import choices
from games.play.models.match import Match, Status
from games.play.tallies import losses, set_aside
from games.rules.core.record import write_record
from games.rules.core.viewpoint import Viewpoint


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """Finished matches, all or those that are searched for, a page at a time."""
    form = SearchForm(request.GET)
    page = None
    if form.is_valid():
        newer, older = (_number(request, name) for name in ("newer_than", "older_than"))
        page = catalogue.page(form.matches(), newer_than=newer, older_than=older)
    return render(request, "archive/index.html", {"form": form, "page": page})


@require_safe
@never_cache
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """A finished match at one ply (`?ply=`), through somebody's eyes (`?eyes=`)."""
    found = get_object_or_404(Match, pk=match_id)
    shown, asked = _number(request, "ply"), request.GET.get("eyes")
    if found.status != Status.FINISHED:
        # The table has its own looking back, for those who may.
        query = "" if shown is None else f"?ply={shown}"
        return redirect(reverse("play:match", args=[match_id]) + query)
    try:
        eyes = Viewpoint(asked) if asked else None
        look = sight.look(match_id, request.user, shown=shown, viewpoint=eyes)
    except (ValueError, sight.NoSuchPly):
        raise Http404 from None
    context = {
        "look": look,
        "match": look.match,
        "board": draw(look, marks=choices(look).marks),
        "eyes": replay.eyes(look),
        "suffix": f"&eyes={look.viewpoint}#board",
        "happened": narration.sentences(look),
        "result": narration.ending(look),
        "losses": losses(look),
        "aside": set_aside(look),
        "lines": replay.lines(look),
    }
    return render(request, "archive/match.html", context)


@require_safe
@never_cache
def record(request: HttpRequest, match_id: int) -> HttpResponse:
    """The game record as a text file, with what this reader may know of it."""
    found = get_object_or_404(Match, pk=match_id)
    text = write_record(sight.record(found, request.user))
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="match-{found.pk}.txt"'},
    )


def _number(request: HttpRequest, name: str) -> int | None:
    """A number in the query; whatever else stands there counts for nothing."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None
