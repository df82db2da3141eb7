"""Views of house opponents: start a match, and show what one believed at a turn."""

from typing import Any

from allauth.core.internal import ratelimit
from allauth.core.ratelimit import respond_429
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.house.forms import HouseForm, initial
from games.house.playing.new_match import play_the_house
from games.house.thinking import past_thoughts
from games.play.converters import read_number
from games.play.models.match import Match
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal
from lib.child_processes import ChildBusy


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def play(request: HttpRequest) -> HttpResponse:
    """The form for a match against the house; a valid form starts the match."""
    if request.method != "POST":
        return _form_page(request, HouseForm(initial=initial(request.GET)))
    form = HouseForm(request.POST, initial=initial({}))
    if form.is_valid():
        user: Any = request.user
        try:
            return redirect(play_the_house(user, **form.choices()))
        except Refusal as refusal:
            form.add_error(None, refusal_text(refusal))
    return _form_page(request, form, status=422)


@require_safe
@never_cache
@login_required
def thought(request: HttpRequest, match_id: int) -> HttpResponse:
    """What the house believed at one of its turns (`?turn=`), when the match is public."""
    turn = read_number(request.GET.get("turn", ""))
    # Expensive: reads all plies up to the turn, and one child process answers all readers.
    if not ratelimit.consume(
        request, app="allauth.account", action="house_thought", limit_get=True
    ):
        refused: HttpResponse = respond_429(request)
        return refused
    try:
        page = past_thoughts.page(match_id, turn)
    except (Match.DoesNotExist, past_thoughts.NotOpen):
        raise Http404 from None
    except ChildBusy:
        busy: HttpResponse = respond_429(request)
        return busy
    return render(request, "house/thought.html", page)


def _form_page(request: HttpRequest, form: HouseForm, status: int = 200) -> HttpResponse:
    return render(request, "house/play.html", {"form": form}, status=status)
