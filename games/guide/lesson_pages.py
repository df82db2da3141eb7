"""Pages of the lessons: the list of them, a lesson's board, and the forms that move on it.

Everybody may play them, with or without an account. A move leads to the address of the position
after it, so nothing is stored but, for users, which lessons they have done.
"""

import re
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import PersonsRequest
from games.guide import first_steps, progress
from games.guide.lesson_view import LessonView, address, view_lesson
from games.guide.lessons import registry as lessons
from games.guide.lessons.attempt import SEPARATOR, Attempt, State, replay
from games.guide.lessons.lesson import Lesson
from games.play.board.boards import draw
from games.play.board.choices import choices
from games.play.words import narration
from games.play.words.wording import refusal_text
from games.rules import registry
from games.rules.core.basics.refusals import Refusal
from games.rules.core.text import notation

SQUARE = re.compile(notation.SQUARE)


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """Every lesson, game by game, with those that the reader has done."""
    games = [
        {
            "title": editions[0].title,
            "family": family,
            "lessons": [_listed(request, lesson) for lesson in lessons.lessons_of(family)],
        }
        for family, editions in registry.games.items()
        if lessons.lessons_of(family)
    ]
    return render(request, "help/lessons.html", {"games": games})


@require_safe
@never_cache
def lesson(request: HttpRequest, family: str, name: str, played: str = "") -> HttpResponse:
    """A lesson's board after the moves in its address; the query names squares that are chosen."""
    return _page(request, _attempt(family, name, played))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def move(request: HttpRequest, family: str, name: str, played: str = "") -> HttpResponse:
    """Play a move, and lead to the position after the answer."""
    attempt = _attempt(family, name, played)
    if request.method != "POST":
        return redirect(address(attempt.lesson, attempt.played))
    text = request.POST.get("move", "")
    try:
        after = attempt.play(text)
    except Refusal as refusal:
        return _page(request, attempt, refusal=refusal_text(refusal), typed=text, status=422)
    if after.state is State.DONE:
        progress.note_done(request.user, after.lesson)
    return redirect(address(after.lesson, after.played))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def prepare(request: HttpRequest, family: str, name: str, played: str = "") -> HttpResponse:
    """Show a move on the board before it is sent, where the browser has no scripts."""
    attempt = _attempt(family, name, played)
    squares = SQUARE.findall(request.POST.get("move", "")[: notation.LONGEST_MOVE_CHARACTERS])
    way = urlencode([("via" if place else "from", one) for place, one in enumerate(squares)])
    return redirect(address(attempt.lesson, attempt.played) + (way and f"?{way}"))


@require_POST
@login_required
def put_away_first_steps(request: PersonsRequest) -> HttpResponse:
    """Show the newcomer's card no more."""
    first_steps.put_away(request.user)
    return redirect("home")


@require_POST
@login_required
def end_guidance(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Show no more hints beside the board, and lead back to it."""
    first_steps.end_guidance(request.user)
    return redirect("play:match", match_id)


def _attempt(family: str, name: str, played: str) -> Attempt:
    found = lessons.find(family, name)
    if found is None:
        raise Http404
    try:
        return replay(found, played.split(SEPARATOR) if played else ())
    except Refusal:
        raise Http404 from None


def _page(
    request: HttpRequest,
    attempt: Attempt,
    *,
    refusal: str = "",
    typed: str = "",
    status: int = 200,
) -> HttpResponse:
    view, taught = view_lesson(attempt), attempt.lesson
    asked = [request.GET.get("huff"), request.GET.get("from"), *request.GET.getlist("via")]
    options = choices(view, asked=filter(None, asked))
    series = lessons.lessons_of(taught.rules.family)
    place = series.index(taught)
    context = {
        "view": view,
        "lesson": taught,
        "number": place + 1,
        "total": len(series),
        "following": _listed(request, series[place + 1]) if place + 1 < len(series) else None,
        "again": address(taught),
        "state": attempt.state,
        "board": draw(view, options.links, options.marks, options.drafted),
        "choices": options,
        "typed": typed or options.made,
        "refusal": refusal,
        "happened": _happened(view),
    }
    return render(request, "help/lesson.html", context, status=status)


def _happened(view: LessonView) -> list[str]:
    """The reader's last move and the answer to it, in sentences."""
    return [
        sentence for entry in view.entries[1:][-2:] for sentence in narration.sentences(view, entry)
    ]


def _listed(request: HttpRequest, one: Lesson) -> dict[str, object]:
    """A lesson for a list: its address, its title, and whether the reader has done it."""
    done = progress.is_done(request.user, one)
    return {"address": address(one), "title": _(one.title), "done": done}
