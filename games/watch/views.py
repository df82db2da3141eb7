"""Pages of watching: the list of running matches, news of the live board, following a match."""

from hashlib import sha256

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import PersonsRequest
from games.play.converters import NO_ROW, read_number
from games.play.models.match import Match
from games.play.record import match_view
from games.play.views.form_only import form_only
from games.play.views.match.match_page import refused_page
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal
from games.watch import following, listing, live_board
from games.watch.forms import WatchForm
from lib.db_clock import now

LIST_PAGE = "list"  # value of `from`: the form is on the list


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """Running matches, filtered by the form; above them those that the reader follows."""
    form = WatchForm(request.GET)
    page = None
    if form.is_valid():
        after = read_number(request.GET.get("after", ""))
        page = form.page(None if after == NO_ROW else after)
    reader = request.user.pk
    followed = following.followed(reader) if reader else following.Followed([], [])
    context = {
        "form": form,
        "page": page,
        "live": [listing.row_of(match) for match in followed.live],
        "over": followed.over,
        "finished": listing.lately_finished(),
        "fewest": listing.FEWEST_MOVES // 2,
        "now": now(),
    }
    return render(request, "watch/index.html", context, status=200 if page else 422)


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """The live board for the script; 304 if it is unchanged. Public facts only."""
    board = live_board.newest()
    if board is None:
        return JsonResponse({"page": None})
    width, height = board.size
    fields = {
        "page": board.page,
        "image": board.image,
        "width": width,
        "height": height,
        "names": board.names,
        "state": board.state,
    }
    etag = quote_etag(sha256(repr(fields).encode()).hexdigest()[:16])
    if request.headers.get("If-None-Match") == etag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = JsonResponse(fields)
    response.headers["ETag"] = etag
    return response


@form_only
@login_required
@never_cache
def follow(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Follow a match (`do=follow`) or stop that (`do=leave`); its players cannot."""
    try:
        match request.POST.get("do"):
            case "follow":
                following.follow(match_id, request.user)
                messages.success(
                    request, _("You follow this match. You will be notified when it is over.")
                )
            case "leave":
                following.leave(match_id, request.user)
                messages.success(
                    request, _("You no longer follow match %(number)s.") % {"number": match_id}
                )
            case _unknown:
                return _refused(request, match_id, _("Choose whether to follow this match or not."))
    except Match.DoesNotExist:
        raise Http404 from None
    except Refusal as refusal:
        return _refused(request, match_id, refusal_text(refusal))
    if request.POST.get("from") == LIST_PAGE:
        return redirect("watch:index")
    return redirect("play:match", match_id)


def _refused(request: PersonsRequest, match_id: int, sentence: str) -> HttpResponse:
    """The page of the match with a refusal."""
    try:
        view = match_view.view_match(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    return refused_page(request, view, sentence)
