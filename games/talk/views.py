"""The page with all talk of a match, and the forms that send a line or mute the match."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.requests import PersonsRequest
from games.play.models.match import Match
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.refusals import NotSeated
from games.play.views.form_only import form_only
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal
from games.talk import commands
from games.talk.lines import reading
from games.talk.section import PROGRAMS, whole_page

LINES_A_PAGE = 100
MATCH_PAGE = "match"  # value of `from`: the form is on the page of the match


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def page(request: PersonsRequest, match_id: int) -> HttpResponse:
    """All lines of a match, the newest page first; on POST, send `text`."""
    if request.method == "POST":
        return _say(request, match_id)
    return _page(request, _own_match(request, match_id))


@form_only
@login_required
@never_cache
def mute(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Mute the talk of a match if `muted` is not empty, else stop that."""
    view = _own_match(request, match_id)
    commands.mute(match_id, request.user, muted=bool(request.POST.get("muted")))
    return _back(request, view)


def _say(request: PersonsRequest, match_id: int) -> HttpResponse:
    # `say`: the field of the move form, sent without the move.
    text = request.POST.get("text") or request.POST.get("say", "")
    try:
        commands.say(match_id, request.user, text)
    except (Match.DoesNotExist, NotSeated):
        raise Http404 from None
    except Refusal as refusal:
        view = _own_match(request, match_id)
        return _page(request, view, refusal=refusal_text(refusal), text=text, status=422)
    messages.success(request, _("Sent."))
    return _back(request, _own_match(request, match_id))


def _page(
    request: PersonsRequest,
    view: MatchView,
    *,
    refusal: str = "",
    text: str = "",
    status: int = 200,
) -> HttpResponse:
    me = view.me
    assert me is not None  # noqa: S101 - only players get here
    lines = reading.visible(me).order_by("-number")
    numbered = Paginator(lines, LINES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "view": view,
        "match": view.match,
        "page": numbered,
        "talk": whole_page(view, request.user, reading.shown(me, numbered.object_list)),
        "refusal": refusal,
        "say": text,
        "waiting_count": me.waiting,
    }
    me.mark_talk_read()
    return render(request, "talk/talk.html", context, status=status)


def _own_match(request: PersonsRequest, match_id: int) -> MatchView:
    """The match, for one of its two players; raises Http404 for others and against a program."""
    try:
        view = match_view.view_match(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    if view.opponent is None or view.opponent.user.kind in PROGRAMS:
        raise Http404
    return view


def _back(request: PersonsRequest, view: MatchView) -> HttpResponse:
    """To the page on which the form was."""
    page = view.address if request.POST.get("from") == MATCH_PAGE else f"{view.address}talk/"
    return redirect(f"{page}#talk")
