"""Home page, the redirect to the next waiting match, and the full move list of a match."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.play.converters import read_number
from games.play.lists import overview, waiting
from games.play.models.kind import PlyKind
from games.play.models.match import Match
from games.play.record import match_view
from games.play.record.move_numbers import turn_of
from games.play.words import narration

PLIES_A_PAGE = 100  # of the move list


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The reader's matches; for visitors, an introduction."""
    if not request.user.is_authenticated:
        return render(request, "play/welcome.html", overview.example_board())
    return render(request, "play/home.html", overview.home_lists(request.user))


@require_safe
@login_required
def next_match(request: HttpRequest) -> HttpResponse:
    """Redirect to the next match that waits for the reader or has unread talk; else home."""
    after = request.GET.get("after", "")
    player = waiting.next_to_open(request.user, read_number(after))
    return redirect("play:match", player.match_id) if player else redirect("home")


@require_safe
@never_cache
def move_list(request: HttpRequest, match_id: int) -> HttpResponse:
    """All moves of a match with their times, page by page."""
    try:
        view = match_view.view_match(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    opening = view.match.opening or 0
    played = range(opening + 1, view.match.ply + 1)
    page = Paginator(played, PLIES_A_PAGE).get_page(request.GET.get("page"))
    numbers = page.object_list
    entries = match_view.entries(view.match, numbers[0], numbers[-1]) if numbers else ()
    off_board = match_view.off_board(view.match)
    lines = [
        {
            "entry": entry,
            "ply": entry.number - opening,
            "turn": turn_of(view.match, entry.number, off_board),
            "is_move": entry.kind == PlyKind.MOVE,
            "side": "" if entry.seat is None else view.rules.seat_names[entry.seat],
            "sentence": narration.sentence(view.rules, entry),
        }
        for entry in entries
    ]
    context = {"view": view, "match": view.match, "page": page, "lines": lines}
    return render(request, "play/moves.html", context)
