"""Views of the lessons: the list, the board of a lesson, and its forms.

Lessons need no account. The moves are in the URL, so nothing is stored except which lessons a user
has completed.
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
from games.guide import onboarding, progress
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
    """All lessons by game, with those that the reader has completed."""
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
    """The board of a lesson after the moves in the URL; the query has the selected squares."""
    return _page(request, _attempt(family, name, played))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def move(request: HttpRequest, family: str, name: str, played: str = "") -> HttpResponse:
    """Play a move, and redirect to the position after the reply."""
    attempt = _attempt(family, name, played)
    if request.method != "POST":
        return redirect(address(attempt.lesson, attempt.played))
    text = request.POST.get("move", "")
    try:
        next_attempt = attempt.play(text)
    except Refusal as refusal:
        return _page(request, attempt, refusal=refusal_text(refusal), typed=text, status=422)
    if next_attempt.state is State.DONE:
        progress.note_done(request.user, next_attempt.lesson)
    return redirect(address(next_attempt.lesson, next_attempt.played))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def prepare(request: HttpRequest, family: str, name: str, played: str = "") -> HttpResponse:
    """Preview a move on the board, for browsers without scripts."""
    attempt = _attempt(family, name, played)
    squares = SQUARE.findall(request.POST.get("move", "")[: notation.LONGEST_MOVE_CHARACTERS])
    query = urlencode([("via" if index else "from", each) for index, each in enumerate(squares)])
    return redirect(address(attempt.lesson, attempt.played) + (query and f"?{query}"))


@require_POST
@login_required
def put_away_first_steps(request: PersonsRequest) -> HttpResponse:
    """Dismiss the first-steps card."""
    onboarding.dismiss_card(request.user)
    return redirect("home")


@require_POST
@login_required
def end_guidance(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Stop showing hints beside the board, and redirect to the match."""
    onboarding.end_guidance(request.user)
    return redirect("play:match", match_id)


def _attempt(family: str, name: str, played: str) -> Attempt:
    lesson = lessons.find(family, name)
    if lesson is None:
        raise Http404
    try:
        return replay(lesson, played.split(SEPARATOR) if played else ())
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
    view, lesson = view_lesson(attempt), attempt.lesson
    selected = [request.GET.get("huff"), request.GET.get("from"), *request.GET.getlist("via")]
    options = choices(view, chosen=filter(None, selected))
    series = lessons.lessons_of(lesson.rules.family)
    index = series.index(lesson)
    context = {
        "view": view,
        "lesson": lesson,
        "number": index + 1,
        "total": len(series),
        "following": _listed(request, series[index + 1]) if index + 1 < len(series) else None,
        "again": address(lesson),
        "state": attempt.state,
        "board": draw(view, options.links, options.marks, options.drafted),
        "choices": options,
        "typed": typed or options.made,
        "refusal": refusal,
        "happened": _happened(view),
    }
    return render(request, "help/lesson.html", context, status=status)


def _happened(view: LessonView) -> list[str]:
    """The reader's last move and the reply, in sentences."""
    return [
        sentence for entry in view.entries[1:][-2:] for sentence in narration.sentences(view, entry)
    ]


def _listed(request: HttpRequest, lesson: Lesson) -> dict[str, object]:
    """A lesson for a list: URL, title, and whether the reader has completed it."""
    done = progress.is_done(request.user, lesson)
    return {"address": address(lesson), "title": _(lesson.title), "done": done}
