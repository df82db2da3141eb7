"""A player's marks and notes on their own match; no other user ever gets them."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.requests import PersonsRequest
from games.idempotency.replay import command_transaction
from games.play.commands import notes
from games.play.knowledge import marks
from games.play.knowledge.memory import recall
from games.play.models.match import Match, Player
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.refusals import NotNow
from games.play.views.form_only import form_only
from games.play.views.match import match_page
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal


@form_only
@login_required
@never_cache
def mark(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Mark a piece of the opponent, or remove its mark; `piece` is the square where it began."""
    view, me = _own_match(request, match_id)
    known = recall(view)
    enemies = known.dossier.enemies() if known and known.dossier else {}
    start, names = request.POST.get("piece", ""), view.rules.board.names
    square = next((at for at, one in enemies.items() if names[one.start] == start), None)
    if square is None:
        sentence = _("That piece is not on the board any more, so it cannot be marked.")
        return match_page.refused_page(request, view, sentence)
    fields = ("", "", "")
    if "remove" not in request.POST:
        guess, word, colour = (request.POST.get(name, "") for name in ("guess", "word", "colour"))
        fields = guess, word, colour
    try:
        given = marks.read_mark(view.rules, *fields)
    except Refusal as refusal:
        return match_page.refused_page(request, view, refusal_text(refusal))
    with command_transaction():
        marks.put(me.pk, start, given)
    return redirect(f"{view.address}?piece={square}#piece")


@form_only
@login_required
@never_cache
def note(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Store the private notes on a match."""
    view, me = _own_match(request, match_id)
    text = request.POST.get("note", "").replace("\r\n", "\n").strip()
    try:
        with command_transaction():
            notes.replace_note(me.pk, text, request.POST.get("seen", ""))
    except notes.NoteChanged as refusal:
        # The note was changed on another page since.
        view, me = _own_match(request, match_id)
        known = recall(view)
        both = f"{known.note if known else ''}\n\n{text}"
        return match_page.refused_page(request, view, refusal_text(refusal), 409, note=both)
    except NotNow as refusal:
        return match_page.refused_page(request, view, refusal_text(refusal), note=text)
    return redirect(f"{view.address}#dossier")


def _own_match(request: PersonsRequest, match_id: int) -> tuple[MatchView, Player]:
    """The match, for one of its players; raises Http404 for others."""
    try:
        view = match_view.view_match(match_id, request.user, whole=True)
    except Match.DoesNotExist:
        raise Http404 from None
    if view.me is None:
        raise Http404
    return view, view.me
