"""Views of the guide: how a match works, a page per game, and its pictures."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from games.guide import progress
from games.guide.game_pages import page_context
from games.guide.lesson_view import address
from games.rules import registry


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """How a match works, with links to the games."""
    games = [editions[0] for editions in registry.games.values()]
    return render(request, "help/index.html", {"games": games})


@require_safe
def game(request: HttpRequest, family: str) -> HttpResponse:
    """The rules of a game, with pictures and tables generated from the rules."""
    if family not in registry.games:
        raise Http404
    game_page = page_context.game_page(family, get_language() or "")
    games = [editions[0] for editions in registry.games.values()]
    own = [f"help/{family}.html", "help/game.html"]
    first = progress.next_lesson(request.user, family)
    context = {"book": game_page, "games": games, "lesson": first and address(first)}
    return render(request, own, context)


@require_safe
def picture(request: HttpRequest, family: str, name: str) -> HttpResponse:
    """A picture as an SVG file."""
    drawing = page_context.drawing(family, name, get_language() or "")
    if drawing is None:
        raise Http404
    return HttpResponse(drawing, content_type="image/svg+xml")
