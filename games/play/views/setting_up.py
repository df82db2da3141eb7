"""Set-up page: place an army by taps, by text, at random or from the library; check and send it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.requests import PersonsRequest
from games.play.board import boards
from games.play.board.sidebar import set_aside
from games.play.commands import moves
from games.play.models.match import Match, Status
from games.play.record import match_view
from games.play.record.sealed import drafts
from games.play.setups import arrangement, editing, library, usage
from games.play.setups.arrangement import Arrangement
from games.play.setups.editing import Editing
from games.play.setups.editor import BY_LISTS, editor
from games.play.views import arrival
from games.play.views.form_only import form_only
from games.play.words import sets
from games.play.words.wording import refusal_text, refusal_texts
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadSetup, Refusal

WHOLE_ARMIES = ("place", "random", "load")  # buttons that place a whole army


def page(
    request: PersonsRequest,
    view: match_view.MatchView,
    *,
    now: Editing | None = None,
    text: str | None = None,
    faults: list[str] | None = None,
    replaces: str = "",
    status: int = 200,
) -> HttpResponse:
    """The editor with the draft, or with what was just sent and its faults.

    `replaces` is the version of a saved set-up that a button offers to replace.
    """
    assert view.me is not None and view.seat is not None  # noqa: S101 - for the type checker
    rules, seen = view.rules, view.observation
    now = editing.load(drafts.read(view.me)) if now is None else now
    by = request.POST.get("by") or request.GET.get("by", "")
    context = {
        "view": view,
        "match": view.match,
        "editor": editor(rules, view.seat, now, seen.hand[view.seat] or (), seen.pieces, by=by),
        "aside": set_aside(view),
        "set": sets.sentence(view),
        "text": arrangement.to_text(rules, view.seat, now.placed) if text is None else text,
        "faults": faults or [],
        "kept": library.keeps(rules),
        "name": request.POST.get("name", "") if faults else "",
        "replaces": replaces,
        "saved": library.fitting(request.user, rules),
    }
    return render(request, "play/setting_up.html", context, status=status)


@form_only
@login_required
@never_cache
def set_up(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Handle every button of the editor; the pieces placed are stored as the draft."""
    try:
        view = match_view.view_match(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    if view.seat is None or view.me is None:
        raise Http404
    rules, seat = view.rules, view.seat
    placed = arrangement.pick(rules, seat, request.POST)
    kept = editing.load(drafts.read(view.me, 0))
    # The script places pieces without requests; the result is also a step that can be undone.
    now = kept.with_placed(placed, kept.chosen)
    try:
        match request.POST.get("do"):
            case "random":
                now = now.with_placed(moves.random_setup(match_id, request.user))
            case "load":
                taken = library.take(request.user, rules, seat, request.POST.get("saved", ""))
                now = now.with_placed(taken)
            case "save" | "replace":
                name = request.POST.get("name", "")
                known = [library.may_replace(request.POST)]
                saved = library.save(request.user, rules, seat, name, placed, known=known)
                words = _("The set-up was saved in your library as “%s”.") % saved.name
                messages.success(request, words)
            case "check":
                return _check(request, view, seat, now)
            case "send":
                return _send(request, view, seat, placed)
            case _:
                hand = view.observation.hand[seat] or ()
                now = editing.press(rules, seat, hand, now, request.POST)
        moves.prepare_setup(match_id, request.user, now.dump())
    except Refusal as refusal:
        return _again(request, view, now, refusal)
    by = f"?by={BY_LISTS}" if request.POST.get("by") == BY_LISTS else ""
    # A browser gives the focus to the button that the address names: the next step.
    at = "check" if request.POST.get("do") in WHOLE_ARMIES else "board"
    return redirect(f"{view.match.get_absolute_url()}{by}#{at}")


def _check(
    request: PersonsRequest, view: match_view.MatchView, seat: Seat, now: Editing
) -> HttpResponse:
    """The confirmation page of a complete set-up, or the editor with what is missing."""
    moves.prepare_setup(view.match.pk, request.user, now.dump())
    if not now.placed:
        nothing = _("Nothing is placed yet. “Place for me” sets up a whole army.")
        return page(request, view, now=now, faults=[nothing], status=422)
    text = arrangement.to_text(view.rules, seat, now.placed)
    if faults := moves.check_setup(view.match.pk, request.user, text):
        return page(
            request,
            view,
            now=now,
            faults=[refusal_text(fault) for fault in faults],
            status=422,
        )
    context = {
        "view": view,
        "match": view.match,
        "placed": now.placed,
        "board": boards.army(view.rules, seat, now.placed, view.observation.pieces),
        "before": usage.used_against_opponent(view, now.placed),
    }
    return render(request, "play/setup_check.html", context)


def _send(
    request: PersonsRequest, view: match_view.MatchView, seat: Seat, placed: Arrangement
) -> HttpResponse:
    text = arrangement.to_text(view.rules, seat, placed)
    moves.submit_move(view.match.pk, request.user, text, None, waited=arrival.waited(request))
    messages.success(request, _("Set-up sent."))
    return redirect("play:match", view.match.pk)


def _again(
    request: PersonsRequest,
    view: match_view.MatchView,
    now: Editing,
    refusal: Refusal,
) -> HttpResponse:
    """The editor with the refusal, keeping what was placed and typed."""
    if not (view.my_turn and view.match.status == Status.SETUP):
        for sentence in refusal_texts(refusal):
            messages.error(request, sentence)
        return redirect("play:match", view.match.pk)
    if isinstance(refusal, BadSetup):
        moves.prepare_setup(view.match.pk, request.user, now.dump())
    text = request.POST.get("text", "") if request.POST.get("do") == "read" else None
    replaces = refusal.version if isinstance(refusal, library.NameTaken) else ""
    faults = refusal_texts(refusal)
    return page(request, view, now=now, text=text, faults=faults, replaces=replaces, status=422)
