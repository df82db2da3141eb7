"""Views of the guide: a page on how a match runs, a page for each game, and its pictures."""

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
    """How a match runs, and the way to each game."""
    games = [editions[0] for editions in registry.games.values()]
    return render(request, "help/index.html", {"games": games})


@require_safe
def game(request: HttpRequest, family: str) -> HttpResponse:
    """The rules of a game, with pictures and tables from the rules' own data."""
    if family not in registry.games:
        raise Http404
    book = page_context.book(family, get_language() or "")
    games = [editions[0] for editions in registry.games.values()]
    own = [f"help/{family}.html", "help/game.html"]
    first = progress.next_lesson(request.user, family)
    context = {"book": book, "games": games, "lesson": first and address(first)}
    return render(request, own, context)


@require_safe
def picture(request: HttpRequest, family: str, name: str) -> HttpResponse:
    """A picture as an SVG file, for what a table cannot show."""
    drawing = page_context.drawing(family, name, get_language() or "")
    if drawing is None:
        raise Http404
    return HttpResponse(drawing, content_type="image/svg+xml")
