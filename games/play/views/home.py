"""Where a player comes in: the matches that wait for them, and the way from one to the next."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.play import narration, overview, sight, waiting
from games.play.converters import read_number
from games.play.models.match import Match

PAGE = 100  # plies on a page of the move list


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The reader's matches; for whoever is not logged in, what this is."""
    if not request.user.is_authenticated:
        return render(request, "play/welcome.html", overview.shop_window())
    return render(request, "play/home.html", overview.desk(request.user))


@require_safe
@login_required
def next_match(request: HttpRequest) -> HttpResponse:
    """On to the next match that waits, the nearest deadline first; home when none does."""
    after = request.GET.get("after", "")
    player = waiting.next_waiting(request.user, read_number(after))
    return redirect("play:match", player.match_id) if player else redirect("home")


@require_safe
@never_cache
def move_list(request: HttpRequest, match_id: int) -> HttpResponse:
    """All moves of a match with the time of each, a bounded page at a time."""
    try:
        look = sight.look(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    opening = look.match.opening or 0
    played = range(opening + 1, look.match.ply + 1)
    page = Paginator(played, PAGE).get_page(request.GET.get("page"))
    numbers = page.object_list
    entries = sight.entries(look.match, numbers[0], numbers[-1]) if numbers else ()
    lines = [
        {
            "entry": entry,
            "ply": entry.number - opening,
            "side": "" if entry.seat is None else look.rules.seat_names[entry.seat],
            "said": narration.sentence(look.rules, entry),
        }
        for entry in entries
    ]
    context = {"look": look, "match": look.match, "page": page, "lines": lines}
    return render(request, "play/moves.html", context)
