"""What a player may do beside moving: end a match early, or agree about its clocks.

Each is asked once more on a page that names the match.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.requests import PersonsRequest
from games.play import commands, courtesies, sight
from games.play.models.match import Match
from games.play.sight import Look
from games.play.wording import say
from games.rules.core.errors import Refusal


class Step(NamedTuple):
    """A command with the question before it and the word after it."""

    command: Callable[[int, User], object]
    question: Promise
    button: Promise
    done: Promise
    grave: bool = False


STEPS = {
    "resign": Step(
        commands.resign,
        _("Resign this match? %(opponent)s wins it."),
        _("Resign against %(opponent)s"),
        _("You have resigned."),
        grave=True,
    ),
    "abort": Step(
        commands.abort,
        _("Call this match off? It ends without a result and counts for nobody."),
        _("Abort the match against %(opponent)s"),
        _("The match is called off."),
        grave=True,
    ),
    "offer-draw": Step(
        commands.offer_draw,
        _("Offer %(opponent)s a draw? The offer stands until your next turn."),
        _("Offer a draw"),
        _("Your offer is on its way."),
    ),
    "accept-draw": Step(
        commands.accept_draw,
        _("Accept the draw? The match ends at once, and nobody wins it."),
        _("Accept the draw"),
        _("The match is drawn."),
    ),
    "decline-draw": Step(
        commands.decline_draw,
        _("Decline the draw that %(opponent)s offers?"),
        _("Decline the draw"),
        _("The offer is declined."),
    ),
    "claim": Step(
        commands.claim_win,
        _("Claim this match? The time of %(opponent)s is up, and you win it."),
        _("Claim the match against %(opponent)s"),
        _("The match is yours."),
        grave=True,
    ),
    "give-day": Step(
        courtesies.give_day,
        _("Give %(opponent)s a day more for this turn?"),
        _("One day more for %(opponent)s"),
        _("Your opponent has a day more."),
    ),
    "offer-pause": Step(
        courtesies.offer_pause,
        _(
            "Offer %(opponent)s a pause? Once it is accepted both clocks stand; "
            "either of you may end it."
        ),
        _("Offer a pause"),
        _("Your offer is on its way."),
    ),
    "accept-pause": Step(
        courtesies.accept_pause,
        _(
            "Accept the pause? Both clocks stand, with what is left on them; "
            "either of you may end it."
        ),
        _("Accept the pause"),
        _("The clocks stand."),
    ),
    "decline-pause": Step(
        courtesies.decline_pause,
        _("Decline the pause that %(opponent)s offers?"),
        _("Decline the pause"),
        _("The offer is declined."),
    ),
    "resume": Step(
        courtesies.resume,
        _("Let the clocks run on? Whoever is to act has what was left."),
        _("End the pause"),
        _("The clocks run."),
    ),
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def step(request: PersonsRequest, match_id: int, name: str) -> HttpResponse:
    """GET asks, POST does it."""
    try:
        look = sight.look(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    if name not in STEPS or look.opponent is None:
        raise Http404
    asked, refused = STEPS[_meant(name, look)], ""
    if request.method == "POST":
        try:
            asked.command(match_id, request.user)
        except Refusal as refusal:
            refused = say(refusal)
        else:
            messages.success(request, str(asked.done))
            return redirect("play:match", match_id)
    facts = {"opponent": look.opponent.user}
    context = {
        "look": look,
        "match": look.match,
        "question": str(asked.question) % facts,
        "button": str(asked.button) % facts,
        "grave": asked.grave,
        "refusal": refused,
    }
    return render(request, "play/ending.html", context, status=422 if refused else 200)


def _meant(name: str, look: Look) -> str:
    """Two offers are an agreement: whoever offers what is offered to them accepts it."""
    offers = {"offer-draw": look.match.draw_offer, "offer-pause": look.match.pause_offer}
    theirs = look.opponent is not None and offers.get(name) == look.opponent.seat
    return name.replace("offer", "accept") if theirs else name
