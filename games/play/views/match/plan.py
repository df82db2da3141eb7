"""The page of a player's own plan: its lines in words and as text, and the forms that change it.

Nothing on it sends a move but the field that says so, on the player's own turn.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.requests import PersonsRequest
from games.plan_language.faults import Fault
from games.plan_language.reading import read_line, read_lines
from games.play.board.boards import draw
from games.play.commands.plans import answering, saving
from games.play.commands.plans.refusing import (
    AnswerWaits,
    BadPlan,
    PlanEdited,
    PlanOutdated,
    plan_too_long,
    unknown_button,
    unknown_wait,
)
from games.play.converters import read_number
from games.play.models.match import Match, Status
from games.play.models.plan import PlanState, Wait
from games.play.plans import sentences
from games.play.record import match_view, own_plan
from games.play.record.match_view import MatchView
from games.play.refusals import MatchIsOver, MatchMovedOn
from games.play.views import arrival
from games.play.words import narration, plan_news
from games.play.words.outcome import outcome
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal

MAX_TEXT_CHARACTERS = 20_000  # of the field, more than all lines that a plan may have
OUTDATED = (PlanOutdated, PlanEdited, AnswerWaits, MatchMovedOn, MatchIsOver)
KEPT = (PlanState.STANDING, PlanState.DROPPED, PlanState.FAILED)  # whose lines the field shows


class Typed(NamedTuple):
    """What a form has sent, to be kept in its fields if it is refused."""

    lines: str
    wait: str
    move: str


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def plan(request: PersonsRequest, match_id: int) -> HttpResponse:
    """The reader's plan; on POST `do` is `save`, `delete` or `now`."""
    view = _own_match(request, match_id)
    if request.method != "POST":
        return _page(request, view)
    do, post = request.POST.get("do", "save"), request.POST
    typed = Typed(*(post.get(name, "") for name in Typed._fields))
    ply, version = (read_number(post.get(name, "")) for name in ("ply", "version"))
    try:
        if ply is None or version is None:
            raise PlanOutdated
        if do == "delete":
            saving.delete_plan(match_id, request.user, ply, version=version)
            messages.success(request, _("Your plan was deleted."))
        elif do == "now":
            answering.play_now(match_id, request.user, ply, version)
            messages.success(request, _("Move sent."))
            return redirect("play:match", match_id)
        elif do == "save":
            _save(request, match_id, ply, version, typed)
        else:
            raise unknown_button()
    except BadPlan as bad:
        return _refused(request, match_id, bad, typed, bad.faults)
    except Refusal as refusal:
        return _refused(request, match_id, refusal, typed, ply=ply)
    return redirect("play:plan", match_id)


def _save(request: PersonsRequest, match_id: int, ply: int, version: int, typed: Typed) -> None:
    if len(typed.lines) > MAX_TEXT_CHARACTERS:
        raise plan_too_long(MAX_TEXT_CHARACTERS, len(typed.lines))
    if typed.wait and typed.wait not in list(Wait):
        raise unknown_wait()
    text = read_lines(typed.lines)
    if text.faults:
        raise BadPlan(text.faults)
    saved = saving.save_plan(
        match_id,
        request.user,
        ply,
        text.lines,
        wait=Wait(typed.wait) if typed.wait else None,
        move=typed.move,
        version=version,
        waited=arrival.waited(request),
    )
    if saved.receipt is not None:
        messages.success(request, _("Move sent."))
    messages.success(request, _("Plan saved.") if saved.lines else _("There is no plan now."))


def _own_match(request: PersonsRequest, match_id: int) -> MatchView:
    """The match, for one of its players; raises Http404 for others."""
    try:
        view = match_view.view_match(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    if view.me is None:
        raise Http404
    return view


def _refused(
    request: PersonsRequest,
    match_id: int,
    refusal: Refusal,
    typed: Typed,
    faults: Sequence[Fault] = (),
    ply: int | None = None,
) -> HttpResponse:
    """The page as it is now, with the refusal and what was typed."""
    view = _own_match(request, match_id)
    moved_on = isinstance(refusal, OUTDATED)
    played = plan_news.just_played(view, ply) if moved_on and ply is not None else ""
    return _page(
        request,
        view,
        refusal=played or refusal_text(refusal),
        faults=[sentences.fault_text(one) for one in faults],
        typed=typed,
        status=409 if moved_on else 422,
    )


def _page(
    request: PersonsRequest,
    view: MatchView,
    *,
    refusal: str = "",
    faults: Sequence[str] = (),
    typed: Typed | None = None,
    status: int = 200,
) -> HttpResponse:
    stored, turn = saving.own_plan(view), own_plan.of_turn(view)
    kept = stored is not None and stored.row.state in KEPT
    lines = stored.contents.lines if stored and kept else ()
    stands = saving.counts(view, stored)
    typed = typed or Typed("\n".join(lines), stored.contents.wait if stored else "", "")
    me = view.me
    context = {
        "view": view,
        "match": view.match,
        "board": draw(view),
        "happened": narration.sentences(view),
        "outcome": outcome(view),
        "news": turn and plan_news.sentence(turn, view.now),
        "waits": turn is not None and turn.news is own_plan.News.WAITS,
        "open": view.match.status == Status.RUNNING,
        "stands": stands,
        "words": sentences.plan_texts(view.rules, [read_line(line) for line in lines]),
        "version": stored.row.version if stored else 0,
        "typed": typed,
        "wait": typed.wait if typed.wait in list(Wait) else Wait.WHILE,
        "refusal": refusal,
        "faults": faults,
        "most": MAX_TEXT_CHARACTERS,
    }
    if me:
        context["waiting_count"], context["challenge_count"] = me.waiting, me.challenges
    return render(request, "play/plan.html", context, status=status)
