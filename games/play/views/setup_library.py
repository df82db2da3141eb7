"""Set-up library pages: list, create, edit and delete saved set-ups."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.requests import PersonsRequest
from games.play.models.setup import SavedSetup
from games.play.setups import arrangement, editing, library, placing, usage
from games.play.setups.editing import Editing
from games.play.setups.editor import editor
from games.play.setups.thumbnail import thumbnail
from games.play.words.wording import refusal_text, refusal_texts
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.ruleset.base import Ruleset


@require_safe
@login_required
@never_cache
def setups(request: PersonsRequest) -> HttpResponse:
    """The reader's saved set-ups with their results, by game and name."""
    own_setups = SavedSetup.objects.filter(user=request.user.pk).order_by("ground", "name")
    placed = {saved: library.read(saved) for saved in own_setups}
    results = usage.results_of(request.user.pk, placed)
    rows = [
        (saved, thumbnail(library.rules_of(saved), stands), results[saved])
        for saved, stands in placed.items()
    ]
    grounds: dict[str, Ruleset] = {}
    for rules in registry.editions():
        if library.keeps(rules):
            grounds.setdefault(library.ground(rules), rules)
    return render(request, "play/setups.html", {"rows": rows, "grounds": grounds.values()})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new_setup(request: PersonsRequest, preset: str) -> HttpResponse:
    """A new set-up for a game."""
    try:
        rules = registry.ruleset(preset)
    except Refusal:
        return redirect("play:setups")
    return _edit(request, rules, None) if library.keeps(rules) else redirect("play:setups")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def edit_setup(request: PersonsRequest, setup_id: int) -> HttpResponse:
    """Edit, rename or delete a saved set-up."""
    saved = SavedSetup.objects.filter(pk=setup_id, user=request.user.pk).first()
    if saved is None:
        # It was deleted in another tab; what was placed in this one is saved as a new one.
        if request.POST.get("do") in (None, "delete") or not request.POST.get("preset"):
            raise Http404
        return new_setup(request, request.POST["preset"])
    if request.POST.get("do") == "delete":
        saved.delete()
        messages.success(request, _("“%s” was removed from your library.") % saved.name)
        return redirect("play:setups")
    return _edit(request, library.rules_of(saved), saved)


def _edit(request: PersonsRequest, rules: Ruleset, saved: SavedSetup | None) -> HttpResponse:
    faults: list[str] = []
    replaces = ""
    seen = request.POST.get("seen", library.version(saved) if saved else "")
    name = request.POST.get("name", saved.name if saved else "").strip()
    text = None
    hand = rules.hand(rules.start(None), Seat.SOUTH)
    if request.method != "POST":
        now = Editing(library.read(saved) if saved else {})
    else:
        now = editing.from_form(rules, Seat.SOUTH, request.POST)
        try:
            match request.POST.get("do"):
                case "random":
                    now = now.with_placed(placing.at_random(rules))
                case "save" | "replace":
                    known = [seen, library.may_replace(request.POST)]
                    kept = library.save(
                        request.user,
                        rules,
                        Seat.SOUTH,
                        name,
                        now.placed,
                        renamed=saved,
                        known=known,
                    )
                    messages.success(request, _("“%s” was saved in your library.") % kept.name)
                    return redirect("play:edit_setup", kept.pk)
                case _:
                    now = editing.press(rules, Seat.SOUTH, hand, now, request.POST)
        except Refusal as refusal:
            replaces = refusal.version if isinstance(refusal, library.NameTaken) else ""
            faults = refusal_texts(refusal)
            text = request.POST.get("text", "") if request.POST.get("do") == "read" else None
    written = arrangement.to_text(rules, Seat.SOUTH, now.placed)
    by = request.POST.get("by") or request.GET.get("by", "")
    context = {
        "rules": rules,
        "saved": saved,
        "name": name,
        "seen": seen,
        "replaces": replaces,
        "editor": editor(rules, Seat.SOUTH, now, hand, {}, by=by),
        "text": written if text is None else text,
        "faults": faults,
        # While pieces are left, the editor's list of them is enough.
        "open_ends": [refusal_text(fault) for fault in rules.check_setup(Seat.SOUTH, written)]
        if max(arrangement.in_hand(hand, now.placed).values()) <= 0
        else [],
    }
    return render(request, "play/edit_setup.html", context, status=422 if faults else 200)
