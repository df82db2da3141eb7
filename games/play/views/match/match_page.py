"""Match page: the board for one reader, and the forms that send, draft or discard a move."""

from contextlib import nullcontext
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import PersonsRequest
from games.idempotency.replay import command_transaction
from games.play import ports
from games.play.board.boards import draw
from games.play.board.choices import choices
from games.play.board.sidebar import battle, losses, move_list, set_aside
from games.play.commands import moves
from games.play.converters import read_number
from games.play.knowledge.memory import recall
from games.play.knowledge.overlay import overlay
from games.play.knowledge.panel import panel
from games.play.models.match import Match, Player, Status
from games.play.record import match_view, own_plan
from games.play.record.sealed import drafts
from games.play.record.snapshot import NoSuchPly
from games.play.refusals import MatchMovedOn
from games.play.views import arrival, setting_up
from games.play.views.form_only import form_only
from games.play.words import draw_answers, narration, plan_news, sets
from games.play.words.outcome import outcome
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal


@require_safe
@never_cache
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """The match as this reader may see it, at the newest or an earlier ply (`?ply=`)."""
    view = _view_or_404(request, match_id)
    if view.me and view.me.unseen and view.is_newest:
        Player.objects.filter(pk=view.me.pk).update(unseen=False)
    if view.me:
        view.me.mark_talk_read()
    if view.my_turn and view.match.status == Status.SETUP:
        return setting_up.page(cast(PersonsRequest, request), view)
    return page(request, view)


@form_only
@login_required
@never_cache
def move(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Send a move; the fields are the move, the ply for which it was chosen, and `say`.

    What is said is sent with the move: if either is refused, neither is sent.
    """
    text, words = request.POST.get("move", ""), request.POST.get("say", "")
    try:
        with command_transaction() if words.strip() else nullcontext():
            receipt = moves.submit_move(
                match_id, request.user, text, _ply_in_form(request), waited=arrival.waited(request)
            )
            if words.strip() and not receipt.repeated:
                ports.say.one(match_id, request.user, words)
    except Refusal as refusal:
        return _refused(request, match_id, refusal, text, say=words)
    except Match.DoesNotExist:
        raise Http404 from None
    messages.success(request, _after_move(request, receipt))
    return redirect("play:match", match_id)


def _after_move(request: PersonsRequest, receipt: moves.Receipt) -> str:
    if not receipt.repeated:
        return _("Move sent.")
    view = match_view.view_match(receipt.match_id, request.user)
    by_plan = plan_news.just_played(view, receipt.ply - 1)
    return by_plan or _("This move had already been sent; it counts only once.")


@form_only
@login_required
@never_cache
def prepare(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Store a move as a draft, without sending it."""
    text = request.POST.get("move", "")
    try:
        moves.prepare_move(match_id, request.user, text, _ply_in_form(request))
    except Refusal as refusal:
        return _refused(request, match_id, refusal, text)
    except Match.DoesNotExist:
        raise Http404 from None
    return redirect("play:match", match_id)


@form_only
@login_required
def put_aside(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Delete the draft."""
    view = _view_or_404(request, match_id)
    if view.me:
        drafts.delete(view.me)
    return redirect("play:match", match_id)


def _view_or_404(request: HttpRequest, match_id: int) -> match_view.MatchView:
    ply = read_number(request.GET.get("ply", ""))
    try:
        return match_view.view_match(match_id, request.user, shown=ply, whole=True)
    except (Match.DoesNotExist, NoSuchPly):
        raise Http404 from None


def _ply_in_form(request: HttpRequest) -> int:
    ply = read_number(request.POST.get("ply", ""))
    return -1 if ply is None else ply


def _refused(
    request: HttpRequest, match_id: int, refusal: Refusal, typed: str, say: str = ""
) -> HttpResponse:
    """The match page with the current board, the refusal and the texts that were entered."""
    try:
        view = match_view.view_match(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    status = 409 if isinstance(refusal, MatchMovedOn) else 422
    played = plan_news.just_played(view, _ply_in_form(request)) if status == 409 else ""
    sentence = played or refusal_text(refusal)
    return refused_page(request, view, sentence, status, typed=typed, say=say)


def refused_page(
    request: HttpRequest, view: match_view.MatchView, sentence: str, status: int = 422, **typed: str
) -> HttpResponse:
    """The current match page with a refusal, keeping what was typed."""
    if view.my_turn and view.match.status == Status.SETUP:
        persons_request = cast(PersonsRequest, request)
        return setting_up.page(persons_request, view, faults=[sentence], status=status)
    return page(request, view, refusal=sentence, status=status, **typed)


def page(
    request: HttpRequest,
    view: match_view.MatchView,
    *,
    refusal: str = "",
    typed: str = "",
    note: str | None = None,
    say: str = "",
    status: int = 200,
) -> HttpResponse:
    """The match page; a refused input stays in its fields."""
    me = view.me
    draft = drafts.read(me, view.match.turn_ply) if me and me.drafted and view.my_turn else ""
    chosen = [request.GET.get("huff"), request.GET.get("from"), *request.GET.getlist("via")]
    known = recall(view)
    if known and note is not None:
        known = known._replace(note=note)
    options = choices(view, chosen=filter(None, chosen), draft=draft)
    context = {
        "view": view,
        "match": view.match,
        "board": draw(view, options.links, options.marks, options.drafted, overlay(view, known)),
        "known": known and panel(view, known, request.GET.get("piece", "")),
        "choices": options,
        "typed": typed or options.made or options.draft,
        "refusal": refusal,
        "say": say,
        "happened": narration.sentences(view),
        "battle": battle(view),
        "outcome": outcome(view),
        "declined": draw_answers.declined(view.match, me, view.opponent),
        "set": sets.sentence(view),
        "losses": losses(view),
        "aside": set_aside(view),
        "plan": _news_of_plan(view),
        "moves": move_list(view, narration.aloud),
    }
    if me:
        # Otherwise the masthead queries them.
        context["waiting_count"], context["challenge_count"] = me.waiting, me.challenges
    return render(request, "play/match.html", context, status=status)


def _news_of_plan(view: match_view.MatchView) -> dict[str, object] | None:
    """What the page says of the reader's plan, and what a form about it has to send."""
    plan = own_plan.of_turn(view)
    if plan is None:
        return None
    return {
        "sentence": plan_news.sentence(plan, view.now),
        "waits": plan.news is own_plan.News.WAITS,
        "version": plan.row.version,
    }
