"""The pages of the lobby. What may be read or done is said in models.py and commands.py."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.lobby import commands, links, options
from games.lobby.forms import InvitationForm, last_choices
from games.lobby.models import Invitation, Kind
from games.lobby.terms import terms
from games.play.models.match import Match
from games.play.wording import say
from games.relay.moment import now
from games.rules import registry
from games.rules.core.errors import Refusal

PAGE = 50  # open seats
INVITED = "invited"  # in the session: the private links that were opened, newest last
REMEMBERED = 20  # private links

View = Callable[..., HttpResponse]


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """Who waits for a match; anybody may look. `?game=` asks for the seats of one game alone."""
    seats = Invitation.objects.seats_for(request.user).select_related("owner")
    asked = request.GET.get("game", "")
    game = asked if asked in registry.systems else ""
    if game:
        seats = seats.of_game(game)
    offered = Invitation.objects.offered_by(request.user)
    challenges = Invitation.objects.challenges_to(request.user)
    context = {
        "page": Paginator(seats, PAGE).get_page(request.GET.get("page")),
        "offered": offered.select_related("guest"),
        "challenges": challenges.select_related("owner")[:PAGE],
        "games": {family: registry.title(family) for family in registry.systems},
        "game": game,
        "now": now(),
    }
    return render(request, "lobby/index.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """An invitation to fill in."""
    return _fill_in(request, {})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def challenge(request: HttpRequest, handle: str) -> HttpResponse:
    """The same, with a player named."""
    return _fill_in(request, {"kind": Kind.CHALLENGE, "opponent": handle})


@require_safe
@never_cache
def detail(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """What is offered and by which rules, for whoever may know, with what they can do about it."""
    people = Invitation.objects.select_related("owner", "guest")
    invitation = people.filter(pk=invitation_id).first()
    by_link = _was_invited(request, invitation_id)
    if invitation is None or not invitation.is_readable_by(request.user, by_link=by_link):
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise Http404
    return _show(request, invitation)


@require_safe
@never_cache
def link(request: HttpRequest, token: str) -> HttpResponse:
    """The private door. Its address is a secret, so no page keeps it for longer than it must.

    A page without a referrer cannot send forms of its own: whoever is signed in is led to the
    invitation's own page, and the session remembers that they came by the link.
    """
    people = Invitation.objects.select_related("owner", "guest")
    invitation = get_object_or_404(people, pk=links.read(token), kind=Kind.LINK)
    if request.user.is_authenticated:
        others = [pk for pk in request.session.get(INVITED, []) if pk != invitation.pk]
        request.session[INVITED] = [*others, invitation.pk][-REMEMBERED:]
        response: HttpResponse = redirect(invitation)
    else:
        response = _show(request, invitation)
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    return response


def action(view: View) -> View:
    """Something done to an invitation, by POST and signed in; all else leads to its page."""

    @wraps(view)
    def answer(request: HttpRequest, invitation_id: int) -> HttpResponse:
        page = reverse("lobby:detail", args=[invitation_id])
        if not request.user.is_authenticated:
            return redirect_to_login(page)
        if request.method != "POST":
            return redirect(page)
        try:
            return view(request, invitation_id)
        except Invitation.DoesNotExist:
            raise Http404 from None
        except Refusal as refusal:
            messages.error(request, say(refusal))
            return redirect(page)

    return answer


@action
def accept(request: HttpRequest, invitation_id: int) -> HttpResponse:
    by_link = _was_invited(request, invitation_id)
    match = commands.accept(invitation_id, _reader(request), by_link=by_link)
    messages.success(request, _begun(match))
    return redirect(match)


@action
def decline(request: HttpRequest, invitation_id: int) -> HttpResponse:
    commands.decline(invitation_id, _reader(request))
    messages.success(request, _("The challenge is declined."))
    return redirect("lobby:index")


@action
def withdraw(request: HttpRequest, invitation_id: int) -> HttpResponse:
    commands.withdraw(invitation_id, _reader(request))
    messages.success(request, _("The invitation is withdrawn."))
    return redirect("lobby:index")


@action
def prolong(request: HttpRequest, invitation_id: int) -> HttpResponse:
    commands.prolong(invitation_id, _reader(request))
    messages.success(request, _("The invitation stays open for another 14 days."))
    return redirect("lobby:detail", invitation_id)


def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """The same match with seats exchanged; by POST, as every action."""
    page = reverse("play:match", args=[match_id])
    if not request.user.is_authenticated:
        return redirect_to_login(page)
    if request.method != "POST":
        return redirect(page)
    try:
        invitation = commands.rematch(match_id, _reader(request))
    except Match.DoesNotExist:
        raise Http404 from None
    except Refusal as refusal:
        messages.error(request, say(refusal))
        return redirect(page)
    if invitation.match is not None:
        messages.success(request, _begun(invitation.match))
        return redirect(invitation.match)
    messages.success(request, _("You have offered %s a rematch.") % invitation.guest)
    return redirect(invitation)


def _fill_in(request: HttpRequest, named: dict[str, Any]) -> HttpResponse:
    owner = _reader(request)
    initial = last_choices(owner) | named
    if request.method != "POST":
        return _form_page(request, InvitationForm(initial=initial))
    form = InvitationForm(request.POST, initial=initial)
    if form.is_valid():
        try:
            invitation = form.offer(owner)
        except Refusal as refusal:
            form.add_error(None, say(refusal))
        else:
            messages.success(request, _said(invitation))
            return redirect(invitation)
    return _form_page(request, form, status=422)


def _form_page(request: HttpRequest, form: InvitationForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "editions": options.editions()}
    return render(request, "lobby/new.html", context, status=status)


def _begun(match: Match) -> str:
    """What to tell whoever has accepted."""
    if match.twin_id is not None:
        return _("Both matches of the set have begun; you find them among your matches.")
    if match.rematch_of_id is not None:
        return _("The rematch has begun. Set up your army.")
    return _("The match has begun. Set up your army.")


def _said(invitation: Invitation) -> str:
    """What to tell the owner of a new invitation."""
    if invitation.kind == Kind.CHALLENGE:
        return _("You have challenged %s.") % invitation.guest
    if invitation.kind == Kind.LINK:
        return _("Here is your link. Whoever accepts first plays.")
    return _("Your seat is open in the lobby.")


def _show(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    reader = request.user.pk
    is_owner = reader is not None and reader == invitation.owner_id
    context = {
        "invitation": invitation,
        "terms": terms(invitation),
        "is_owner": is_owner,
        "is_guest": reader is not None and reader == invitation.guest_id,
        "is_live": invitation.is_live(now()),
        "is_private": invitation.kind == Kind.LINK,
        "link": links.address(invitation.pk) if is_owner and invitation.kind == Kind.LINK else None,
    }
    return render(request, "lobby/detail.html", context)


def _was_invited(request: HttpRequest, invitation_id: int) -> bool:
    return invitation_id in request.session.get(INVITED, [])


def _reader(request: HttpRequest) -> Any:
    """The signed-in reader; every view that asks stands behind a sign-in."""
    return request.user
