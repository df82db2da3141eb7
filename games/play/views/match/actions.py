"""Match actions other than moves, each with a confirmation page: resign, draws, pauses, claims."""

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
from games.play.commands import courtesies, endings
from games.play.models.match import Match
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.words import sets
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal
from lib.sentences import in_a_row


class Action(NamedTuple):
    """A command with the texts of its confirmation page; `grave` actions cannot be undone."""

    command: Callable[[int, User], object]
    question: Promise
    button: Promise
    done: Promise | None  # None if the match ends: its page says how
    grave: bool = False


ACTIONS = {
    "resign": Action(
        endings.resign,
        _("Resign this match? %(opponent)s wins."),
        _("Resign against %(opponent)s"),
        None,
        grave=True,
    ),
    "abort": Action(
        endings.abort,
        _("Abort this match? It ends without a result."),
        _("Abort the match against %(opponent)s"),
        None,
        grave=True,
    ),
    "offer-draw": Action(
        endings.offer_draw,
        _("Offer %(opponent)s a draw? The offer is valid until your next turn."),
        _("Offer a draw"),
        _("Offer sent."),
    ),
    "accept-draw": Action(
        endings.accept_draw,
        _("Accept the draw? The match ends at once, without a winner."),
        _("Accept the draw"),
        None,
    ),
    "decline-draw": Action(
        endings.decline_draw,
        _("Decline the draw offered by %(opponent)s?"),
        _("Decline the draw"),
        _("Offer declined."),
    ),
    "claim": Action(
        endings.claim_win,
        _("Claim the win? %(opponent)s has run out of time."),
        _("Claim the win against %(opponent)s"),
        None,
        grave=True,
    ),
    "give-day": Action(
        courtesies.give_day,
        _("Give %(opponent)s another day for this move?"),
        _("Give %(opponent)s another day"),
        _("Your opponent has another day."),
    ),
    "offer-pause": Action(
        courtesies.offer_pause,
        _(
            "Offer %(opponent)s a pause? If they accept, both clocks stop; either of you can "
            "end it."
        ),
        _("Offer a pause"),
        _("Offer sent."),
    ),
    "accept-pause": Action(
        courtesies.accept_pause,
        _(
            "Accept the pause? Both clocks stop and keep the time that is left; either of you "
            "can end it."
        ),
        _("Accept the pause"),
        _("The match is paused."),
    ),
    "decline-pause": Action(
        courtesies.decline_pause,
        _("Decline the pause offered by %(opponent)s?"),
        _("Decline the pause"),
        _("Offer declined."),
    ),
    "resume": Action(
        courtesies.resume,
        _("End the pause? The clock continues with the time that was left."),
        _("End the pause"),
        _("The clocks are running again."),
    ),
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def action(request: PersonsRequest, match_id: int, name: str) -> HttpResponse:
    """Confirmation page on GET; run the action on POST."""
    try:
        view = match_view.view_match(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    if name not in ACTIONS or view.opponent is None:
        raise Http404
    chosen, refused = ACTIONS[_accept_if_offered(name, view)], ""
    if request.method == "POST":
        try:
            chosen.command(match_id, request.user)
        except Refusal as refusal:
            refused = refusal_text(refusal)
        else:
            if chosen.done is not None:
                messages.success(request, str(chosen.done))
            return redirect("play:match", match_id)
    values = {"opponent": view.opponent.user}
    warning = sets.abort_warning(view.match) if name == "abort" else ""
    context = {
        "view": view,
        "match": view.match,
        "question": in_a_row(filter(None, (str(chosen.question) % values, warning))),
        "button": str(chosen.button) % values,
        "grave": chosen.grave,
        "refusal": refused,
    }
    return render(request, "play/ending.html", context, status=422 if refused else 200)


def _accept_if_offered(name: str, view: MatchView) -> str:
    """The action to run: offering what the opponent has already offered accepts it."""
    offers = {"offer-draw": view.match.draw_offer, "offer-pause": view.match.pause_offer}
    theirs = view.opponent is not None and offers.get(name) == view.opponent.seat
    return name.replace("offer", "accept") if theirs else name
