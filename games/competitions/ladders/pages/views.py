"""Views of ladders. Commands decide who may act; the table says the same before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import OuterRef, Prefetch, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.competitions.ladders import admission, commands, limits, table
from games.competitions.ladders.models import Change, Ladder, Member
from games.play.views.page_actions import actions_on
from games.play.words.terms import describe
from games.play.words.wording import refusal_text
from games.rules import registry
from games.rules.core.basics.refusals import Refusal
from lib.database.paginators import LimitedPaginator
from lib.db_clock import now

MEMBERS_A_PAGE = 100
CHANGES_A_PAGE = 50

View = Callable[..., HttpResponse]


class Places(Paginator):  # type: ignore[type-arg]
    """The pages of a ladder's members, who are as many as there are places."""

    def __init__(self, *args: Any, ladder: Ladder) -> None:
        super().__init__(*args)
        self._ladder = ladder

    @cached_property
    def count(self) -> int:
        return Member.last_place(self._ladder)


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """All ladders, in the order of the games, with the leader of each."""
    leaders = Member.objects.filter(place=1).select_related("user")
    ladders = Ladder.objects.annotate(size=_size()).prefetch_related(
        Prefetch("members", leaders, to_attr="leaders")
    )
    order = list(registry.games)
    context = {"ladders": sorted(ladders, key=lambda row: order.index(row.family))}
    return render(request, "ladders/index.html", context)


def _size() -> Coalesce:
    """The number of members of each ladder, which is the last place."""
    below = Member.objects.filter(ladder=OuterRef("pk")).order_by("-place")
    return Coalesce(Subquery(below.values("place")[:1]), 0)


@require_safe
@never_cache
def ladder(request: HttpRequest, family: str) -> HttpResponse:
    """The table of a ladder, public; members find a button or a reason next to those above."""
    shown_ladder = get_object_or_404(Ladder, family=family)
    at, user = now(), request.user
    members = Member.objects.filter(ladder=shown_ladder).select_related("user")
    me = members.filter(user=user.pk).first() if user.is_authenticated else None
    obstacle = None
    if user.is_authenticated:
        if me is not None:
            obstacle = admission.own_obstacle(shown_ladder, me, user.pk, at)
        else:
            obstacle = _obstacle_to_joining(shown_ladder, user)
    pages = Places(members.order_by("place"), MEMBERS_A_PAGE, ladder=shown_ladder)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "ladder": shown_ladder,
        "terms": describe(shown_ladder.terms),
        "page": page,
        "rows": table.rows(shown_ladder, list(page), at, me=me, own_obstacle=obstacle),
        "me": me,
        "obstacle": "" if obstacle is None else refusal_text(obstacle),
        "reach": min(limits.reach(pages.count), me.place - 1) if me else 0,
        "limits": limits,
    }
    return render(request, "ladders/ladder.html", context)


@require_safe
@never_cache
def log(request: HttpRequest, family: str) -> HttpResponse:
    """The log of a ladder: its newest changes, the newest first."""
    shown_ladder = get_object_or_404(Ladder, family=family)
    changes = Change.objects.filter(ladder=shown_ladder).select_related("user").order_by("-pk")
    page = LimitedPaginator(changes, CHANGES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "ladders/log.html", {"ladder": shown_ladder, "page": page})


def _page(family: str, **_action: str) -> str:
    return reverse("ladders:ladder", args=[family])


action = actions_on(_page, Ladder.DoesNotExist)


@action
def join(request: HttpRequest, family: str) -> HttpResponse:
    member = commands.join(family, _reader(request))
    messages.success(request, _("You are on the ladder, at place %s.") % member.place)
    return redirect("ladders:ladder", family)


@action
def leave(request: HttpRequest, family: str) -> HttpResponse:
    if commands.leave(family, _reader(request)):
        messages.success(request, _("You have left the ladder."))
    else:
        words = _("You leave the ladder as soon as your running challenges are final.")
        messages.success(request, words)
    return redirect("ladders:ladder", family)


@action
def challenge(request: HttpRequest, family: str, handle: str) -> HttpResponse:
    match = commands.challenge(family, _reader(request), handle)
    if match.twin_id is not None:
        words = _("Both matches of the challenge have begun. They are in your list of matches.")
    else:
        words = _("The challenge has begun. Set up your army.")
    messages.success(request, words)
    if not match.rated and Ladder.objects.get(family=family).rated:
        messages.info(request, table.friendly_sentence())
    return redirect(match)


def _obstacle_to_joining(shown_ladder: Ladder, user: Any) -> Refusal | None:
    try:
        admission.check_joining(shown_ladder, user, now())
    except Refusal as refusal:
        return refusal
    return None


def _reader(request: HttpRequest) -> Any:
    """The signed-in user; all callers require sign-in."""
    return request.user
