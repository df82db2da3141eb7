"""The page of a match: look, choose, prepare, send."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import PersonsRequest
from games.play import commands, drafts, narration, sets, sight
from games.play.boards import draw
from games.play.choices import choices
from games.play.converters import read_number
from games.play.models.match import Match, Player, Status
from games.play.refusals import Overtaken
from games.play.scene import NoSuchPly
from games.play.tallies import battle, losses, move_list, set_aside
from games.play.views import setting_up
from games.play.views.posting import takes_a_form
from games.play.wording import say
from games.rules.core.errors import Refusal


@require_safe
@never_cache
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """A match as this reader may see it, now or as it was at an earlier ply (`?ply=`)."""
    look = _look(request, match_id)
    if look.me and look.me.unseen and look.is_newest:
        Player.objects.filter(pk=look.me.pk).update(unseen=False)
    if look.my_turn and look.match.status == Status.SETUP:
        return setting_up.page(cast(PersonsRequest, request), look)
    return _page(request, look)


@takes_a_form
@login_required
@never_cache
def move(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Send a move: the two fields are the move and the ply it was meant for."""
    text = request.POST.get("move", "")
    try:
        receipt = commands.submit_move(match_id, request.user, text, _ply(request))
    except Refusal as refusal:
        return _refused(request, match_id, refusal, text)
    except Match.DoesNotExist:
        raise Http404 from None
    messages.success(
        request,
        _("This move had been sent before; it counts once.")
        if receipt.repeated
        else _("Your move is sent."),
    )
    return redirect("play:match", match_id)


@takes_a_form
@login_required
@never_cache
def prepare(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Keep a move on the server, not sent yet."""
    text = request.POST.get("move", "")
    try:
        commands.prepare_move(match_id, request.user, text, _ply(request))
    except Refusal as refusal:
        return _refused(request, match_id, refusal, text)
    except Match.DoesNotExist:
        raise Http404 from None
    return redirect("play:match", match_id)


@takes_a_form
@login_required
def put_aside(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Forget what was prepared."""
    look = _look(request, match_id)
    if look.me:
        drafts.drop(look.me)
    return redirect("play:match", match_id)


def _look(request: HttpRequest, match_id: int) -> sight.Look:
    asked = read_number(request.GET.get("ply", ""))
    try:
        return sight.look(match_id, request.user, shown=asked)
    except (Match.DoesNotExist, NoSuchPly):
        raise Http404 from None


def _ply(request: HttpRequest) -> int:
    ply = read_number(request.POST.get("ply", ""))
    return -1 if ply is None else ply


def _refused(request: HttpRequest, match_id: int, refusal: Refusal, typed: str) -> HttpResponse:
    """The board as it is now, why the move was refused, and what was typed."""
    try:
        look = sight.look(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    status = 409 if isinstance(refusal, Overtaken) else 422
    if look.my_turn and look.match.status == Status.SETUP:
        asked = cast(PersonsRequest, request)
        return setting_up.page(asked, look, faults=[say(refusal)], status=status)
    return _page(request, look, refusal=say(refusal), typed=typed, status=status)


def _page(
    request: HttpRequest,
    look: sight.Look,
    *,
    refusal: str = "",
    typed: str = "",
    status: int = 200,
) -> HttpResponse:
    me = look.me
    draft = drafts.read(me, look.number) if me and me.drafted and look.my_turn else ""
    asked = [request.GET.get("blow"), request.GET.get("from"), *request.GET.getlist("via")]
    options = choices(look, asked=filter(None, asked), draft=draft)
    context = {
        "look": look,
        "match": look.match,
        "board": draw(look, options.doors, options.marks, options.ghosts),
        "choices": options,
        "typed": typed or options.made or options.draft,
        "refusal": refusal,
        "happened": narration.sentences(look),
        "battle": battle(look),
        "result": narration.ending(look),
        "set": sets.told(look),
        "losses": losses(look),
        "aside": set_aside(look),
        "moves": move_list(look),
    }
    if me:
        context["waiting_count"] = me.waiting  # else the page asks for it by itself
    return render(request, "play/match.html", context, status=status)
