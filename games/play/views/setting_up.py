"""Setting up an army: by a form of squares, by text, at random, or from one's library."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.requests import PersonsRequest
from games.play import arrangement, boards, commands, drafts, library, sets, sight
from games.play.arrangement import Arrangement
from games.play.editor import editor
from games.play.models.match import Match, Status
from games.play.tallies import set_aside
from games.play.views.posting import takes_a_form
from games.play.wording import say, say_all
from games.rules.core.army import Seat
from games.rules.core.errors import BadSetup, Refusal


def page(
    request: PersonsRequest,
    look: sight.Look,
    *,
    placed: Arrangement | None = None,
    text: str | None = None,
    faults: list[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The editor with the draft, or with what was just sent and what is wrong with it."""
    assert look.me is not None and look.seat is not None  # noqa: S101 - for the type checker
    rules, seen = look.rules, look.observation
    if placed is None:
        placed = arrangement.load(drafts.read(look.me))
    context = {
        "look": look,
        "match": look.match,
        "editor": editor(rules, look.seat, placed, seen.hand[look.seat] or (), seen.pieces),
        "aside": set_aside(look),
        "set": sets.told(look),
        "text": arrangement.to_text(rules, look.seat, placed) if text is None else text,
        "faults": faults or [],
        "kept": library.keeps(rules),
        "saved": library.fitting(request.user, rules),
    }
    return render(request, "play/setting_up.html", context, status=status)


@takes_a_form
@login_required
@never_cache
def set_up(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Every button of the editor; whatever it does, what was placed is kept as the draft."""
    try:
        look = sight.look(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    if look.seat is None:
        raise Http404
    placed, text = arrangement.pick(look.rules, look.seat, request.POST), None
    try:
        match request.POST.get("do"):
            case "random":
                placed = commands.random_setup(match_id, request.user)
            case "mirror":
                placed = arrangement.mirrored(look.rules, placed)
            case "clear":
                placed = {}
            case "read":
                text = request.POST.get("text", "")
                placed = arrangement.from_text(look.rules, look.seat, text)
            case "load":
                placed = library.take(
                    request.user, look.rules, look.seat, request.POST.get("saved", "")
                )
            case "save":
                name = request.POST.get("name", "").strip()
                library.save(request.user, look.rules, look.seat, name, placed)
                messages.success(request, _("The set-up is in your library as “%s”.") % name)
            case "check":
                return _check(request, look, look.seat, placed)
            case "send":
                return _send(request, look, look.seat, placed)
        commands.prepare_setup(match_id, request.user, placed)
    except Refusal as refusal:
        return _again(request, look, placed, refusal, text)
    return redirect("play:match", match_id)


def _check(
    request: PersonsRequest, look: sight.Look, seat: Seat, placed: Arrangement
) -> HttpResponse:
    """A complete set-up is shown once more, as it will stand; else what is missing is said."""
    commands.prepare_setup(look.match.pk, request.user, placed)
    text = arrangement.to_text(look.rules, seat, placed)
    if faults := commands.check_setup(look.match.pk, request.user, text):
        return page(
            request, look, placed=placed, faults=[say(fault) for fault in faults], status=422
        )
    context = {
        "look": look,
        "match": look.match,
        "placed": placed,
        "board": boards.army(look.rules, seat, placed, look.observation.pieces),
    }
    return render(request, "play/setup_check.html", context)


def _send(
    request: PersonsRequest, look: sight.Look, seat: Seat, placed: Arrangement
) -> HttpResponse:
    text = arrangement.to_text(look.rules, seat, placed)
    commands.submit_move(look.match.pk, request.user, text, None)
    messages.success(request, _("Your set-up is sent."))
    return redirect("play:match", look.match.pk)


def _again(
    request: PersonsRequest,
    look: sight.Look,
    placed: Arrangement,
    refusal: Refusal,
    text: str | None,
) -> HttpResponse:
    """The page once more with the reason; nothing that was placed or typed is lost."""
    if not (look.my_turn and look.match.status == Status.SETUP):
        for sentence in say_all(refusal):
            messages.error(request, sentence)
        return redirect("play:match", look.match.pk)
    if isinstance(refusal, BadSetup):
        commands.prepare_setup(look.match.pk, request.user, placed)
    return page(request, look, placed=placed, text=text, faults=say_all(refusal), status=422)
