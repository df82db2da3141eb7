"""Views of the lobby. The models decide who may see an invitation, the commands who may act."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.lobby import commands
from games.lobby.forms import rule_options
from games.lobby.forms.invitation import InvitationForm, last_choices
from games.lobby.forms.strength import StrengthForm
from games.lobby.forms.words import WordsForm
from games.lobby.invitations import listing, private_links
from games.lobby.invitations.candidates import Candidate
from games.lobby.models import Invitation, InvitationKind
from games.people.models import Subject
from games.people.moderation.reporting import Reported
from games.people.moderation.views import report_page
from games.people.ports import SpokenLine
from games.play.models.match import Match
from games.play.views.page_actions import actions_on
from games.play.words.terms import describe
from games.play.words.wording import refusal_text
from games.rules import registry
from games.rules.core.basics.refusals import Refusal
from lib.database.paginators import LimitedPaginator
from lib.db_clock import now

SEATS_A_PAGE = 50
OPENED_LINKS = "invited"  # session key: ids of invitations whose links were opened, newest last
MAX_OPENED_LINKS = 20

View = Callable[..., HttpResponse]


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """The lobby page, public; `?game=` filters the open seats by game.

    Seats that the reader may not take are left out, or with `?all=1` listed with the reason.
    """
    seats = Invitation.objects.seats_for(request.user).select_related("owner")
    at = now()
    reader = None if request.user.pk is None else Candidate.of_user(request.user.pk, at)
    shows_all = reader is None or request.GET.get("all") == "1"
    if reader is not None and not shows_all:
        seats = seats.filter(reader.may_take())
    family = request.GET.get("game", "")
    game = family if family in registry.games else ""
    if game:
        seats = seats.of_game(game)
    offered = Invitation.objects.offered_by(request.user)
    challenges = Invitation.objects.challenges_to(request.user)
    page = LimitedPaginator(seats, SEATS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": listing.rows(page, reader, at),
        "shows_all": shows_all,
        "offered": offered.select_related("guest"),
        "ended": Invitation.objects.ended_at_the_limit(request.user)[:SEATS_A_PAGE],
        "challenges": challenges.select_related("owner")[:SEATS_A_PAGE],
        "games": {family: registry.title(family) for family in registry.games},
        "game": game,
        "now": at,
    }
    return render(request, "lobby/index.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """The form for a new invitation."""
    return _fill_in(request, {})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def challenge(request: HttpRequest, handle: str) -> HttpResponse:
    """The form for a new invitation, filled in as a challenge to one player."""
    return _fill_in(request, {"kind": InvitationKind.CHALLENGE, "opponent": handle})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def strength(request: HttpRequest) -> HttpResponse:
    """Someone of my strength: accepts the nearest open seat, or offers one."""
    user = _reader(request)
    if request.method != "POST":
        form = StrengthForm(initial=last_choices(user))
        return render(request, "lobby/strength.html", {"form": form})
    form = StrengthForm(request.POST)
    if form.is_valid():
        chosen = form.cleaned_data
        try:
            invitation = commands.find_opponent(user, chosen["preset"], chosen["pace"])
        except Refusal as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            if invitation.match is not None:
                messages.success(request, _begun_message(invitation.match))
                return redirect(invitation.match)
            messages.success(
                request, _("Nobody of your strength is waiting. Your open seat is in the lobby.")
            )
            return redirect(invitation)
    return render(request, "lobby/strength.html", {"form": form}, status=422)


@require_safe
@never_cache
def detail(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """The page of an invitation, with the actions that the reader may take."""
    people = Invitation.objects.select_related("owner", "guest")
    invitation = people.filter(pk=invitation_id).first()
    by_link = _has_opened_link(request, invitation_id)
    if invitation is None or not invitation.is_readable_by(request.user, by_link=by_link):
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise Http404
    return _show(request, invitation)


@require_safe
@never_cache
def link(request: HttpRequest, token: str) -> HttpResponse:
    """A private link: shows the invitation to anyone who has the link.

    The URL is a secret, so the page sends no referrer. Without one the CSRF check refuses forms, so
    signed-in readers are redirected to the invitation's page, and the session remembers the link.
    """
    people = Invitation.objects.select_related("owner", "guest")
    invitation = get_object_or_404(
        people, pk=private_links.read_token(token), kind=InvitationKind.LINK
    )
    if not invitation.is_readable_by(request.user, by_link=True):
        raise Http404
    if request.user.is_authenticated:
        others = [pk for pk in request.session.get(OPENED_LINKS, []) if pk != invitation.pk]
        request.session[OPENED_LINKS] = [*others, invitation.pk][-MAX_OPENED_LINKS:]
        response: HttpResponse = redirect(invitation)
    else:
        response = _show(request, invitation)
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _page(invitation_id: int) -> str:
    return reverse("lobby:detail", args=[invitation_id])


action = actions_on(_page, Invitation.DoesNotExist)


@action
def accept(request: HttpRequest, invitation_id: int) -> HttpResponse:
    by_link = _has_opened_link(request, invitation_id)
    form = WordsForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["words"][0]))
        return redirect("lobby:detail", invitation_id)
    words = form.cleaned_data["words"]
    match = commands.accept(invitation_id, _reader(request), by_link=by_link, words=words)
    messages.success(request, _begun_message(match))
    return redirect(match)


@action
def decline(request: HttpRequest, invitation_id: int) -> HttpResponse:
    commands.decline(invitation_id, _reader(request))
    messages.success(request, _("Challenge declined."))
    return redirect("lobby:index")


@action
def withdraw(request: HttpRequest, invitation_id: int) -> HttpResponse:
    commands.withdraw(invitation_id, _reader(request))
    messages.success(request, _("Invitation withdrawn."))
    return redirect("lobby:index")


@action
def prolong(request: HttpRequest, invitation_id: int) -> HttpResponse:
    commands.prolong(invitation_id, _reader(request))
    messages.success(request, _("The invitation stays open for another 14 days."))
    return redirect("lobby:detail", invitation_id)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def report(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Report the message of an invitation that the reader may see and has not written."""
    invitation = Invitation.objects.select_related("owner").filter(pk=invitation_id).first()
    by_link = _has_opened_link(request, invitation_id)
    if invitation is None or not invitation.is_readable_by(request.user, by_link=by_link):
        raise Http404
    if not invitation.note:
        raise Http404
    note = SpokenLine(0, invitation.owner_id, invitation.created_at, invitation.note)
    reported = Reported(invitation.owner, Subject.NOTE, (note,), invitation=invitation.pk)
    return report_page(request, reported)


def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """Offer or accept a rematch: POST by signed-in users; redirects other requests."""
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
        messages.error(request, refusal_text(refusal))
        return redirect(page)
    if invitation.became_friendly:
        messages.info(request, _("The rematch is friendly, since it cannot be rated now."))
    if invitation.match is not None:
        messages.success(request, _begun_message(invitation.match))
        return redirect(invitation.match)
    messages.success(request, _("You have offered %s a rematch.") % invitation.guest)
    return redirect(invitation)


def _fill_in(request: HttpRequest, given: dict[str, Any]) -> HttpResponse:
    """The form, with the owner's last choices and `given` as initial values; creates if valid."""
    owner = _reader(request)
    initial = last_choices(owner) | given
    if request.method != "POST":
        return _form_page(request, InvitationForm(initial=initial))
    form = InvitationForm(request.POST, initial=initial)
    if form.is_valid():
        try:
            invitation = form.offer(owner)
        except Refusal as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            if invitation.match is not None:
                messages.success(request, _begun_message(invitation.match))
                return redirect(invitation.match)
            messages.success(request, _offered_message(invitation))
            return redirect(invitation)
    return _form_page(request, form, status=422)


def _form_page(request: HttpRequest, form: InvitationForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "editions": rule_options.editions()}
    return render(request, "lobby/new.html", context, status=status)


def _begun_message(match: Match) -> str:
    """The message after an invitation was accepted."""
    if match.twin_id is not None:
        return _("Both matches of the set have begun. They are in your list of matches.")
    if match.rematch_of_id is not None:
        return _("The rematch has begun. Set up your army.")
    return _("The match has begun. Set up your army.")


def _offered_message(invitation: Invitation) -> str:
    """The message after an invitation was created."""
    if invitation.kind == InvitationKind.CHALLENGE:
        return _("You have challenged %s.") % invitation.guest
    if invitation.kind == InvitationKind.LINK:
        return _("Here is your link. The first player who accepts plays against you.")
    return _("Your open seat is in the lobby.")


def _show(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    reader = request.user.pk
    is_owner = reader is not None and reader == invitation.owner_id
    at = now()
    is_live = invitation.is_live(at)
    # A visitor has to sign in first, and the owner cannot accept.
    may_ask = is_live and reader is not None and not is_owner
    asking = Candidate.of_user(_reader(request).pk, at) if may_ask else None
    [row] = listing.rows([invitation], asking, at)
    context = {
        "row": row,
        "invitation": invitation,
        "terms": describe(invitation.terms),
        "is_owner": is_owner,
        "is_guest": reader is not None and reader == invitation.guest_id,
        "is_live": is_live,
        "is_private": invitation.kind == InvitationKind.LINK,
        "commitments": invitation.commitments.split(),
        "words": WordsForm()["words"] if invitation.commitments else None,
        "link": private_links.address(invitation.pk)
        if is_owner and invitation.kind == InvitationKind.LINK
        else None,
    }
    return render(request, "lobby/detail.html", context)


def _has_opened_link(request: HttpRequest, invitation_id: int) -> bool:
    return invitation_id in request.session.get(OPENED_LINKS, [])


def _reader(request: HttpRequest) -> Any:
    """The signed-in user; all callers require sign-in."""
    return request.user
