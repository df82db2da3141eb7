"""Archive pages of finished matches: the list with its search, replay, game record as a file."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.archive import finished_matches, replay
from games.archive.forms import SearchForm
from games.archive.summary import piece_dossiers
from games.archive.views.query_parameters import as_file, requested_ply, viewpoint
from games.play.models.match import Match, Status
from games.play.record import match_view
from games.play.record.move_numbers import ply_of
from games.play.record.snapshot import NoSuchPly
from games.play.words import narration, sets
from games.rules.core.text.game_record import write_record


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """The list of finished matches, filtered by the search form, page by page."""
    form = SearchForm(request.GET)
    page = None
    if form.is_valid():
        newer, older = (request.GET.get(name, "") for name in ("newer_than", "older_than"))
        page = finished_matches.page(form.matches(), newer_than=newer, older_than=older)
    return render(request, "archive/index.html", {"form": form, "page": page})


@require_safe
@never_cache
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """The replay of a finished match at one ply (`?ply=`), from one viewpoint (`?eyes=`).

    With `?piece=` also what a player (`?who=`) could know of the piece on that square.
    """
    finished = get_object_or_404(Match, pk=match_id)
    shown = requested_ply(
        request, lambda turn: ply_of(finished, turn, match_view.off_board(finished))
    )
    if finished.status != Status.FINISHED:
        # The match page shows earlier plies itself, for readers who may see them.
        query = "" if shown is None else f"?ply={shown}"
        return redirect(reverse("play:match", args=[match_id]) + query)
    try:
        view = match_view.view_match(
            match_id, request.user, shown=shown, viewpoint=viewpoint(request)
        )
    except NoSuchPly:
        raise Http404 from None
    except match_view.ViewpointNotAllowed:
        # A loss on time can be undone for a while; until then the armies are not public.
        return redirect(request.path if shown is None else f"{request.path}?ply={shown}")
    viewpoints = match_view.viewpoints(view.match, view.seat, view.now)
    context = replay.page(view, viewpoints, match_view.entries(view.match, *replay.span(view)))
    context |= {"match": view.match, "result": narration.ending(view), "set": sets.sentence(view)}
    context["is_open"] = view.match.is_open(view.now)
    # People write squares as they like; the form keeps the player that was chosen.
    if square := request.GET.get("piece", "").strip().lower():
        context["who"] = request.GET.get("who", "")
        context["dossier"] = piece_dossiers.look_up(view, square, context["who"])
    return render(request, "archive/match.html", context)


@require_safe
@never_cache
def record(request: HttpRequest, match_id: int) -> HttpResponse:
    """The game record as a text file, limited to what this reader may see."""
    try:
        game_record = match_view.record(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    return as_file(write_record(game_record), f"match-{match_id}.txt")
