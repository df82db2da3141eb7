"""Views of tournaments. The commands decide who may enter and leave."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime
from typing import Any, TextIO

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.competitions.tournaments import exports
from games.competitions.tournaments.commands import entering, withdrawing
from games.competitions.tournaments.links import in_play
from games.competitions.tournaments.models import Entry, Stage, State, Tournament
from games.competitions.tournaments.pages import cross_tables
from games.competitions.tournaments.tables import GroupTable, groups_of, winners_of
from games.play.lists.overview import seat_opponents
from games.play.models.match import Player
from games.play.views.page_actions import actions_on
from games.play.words.terms import describe
from lib.database.paginators import LimitedPaginator
from lib.db_clock import now

TOURNAMENTS_A_PAGE = 50

View = Callable[..., HttpResponse]


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """All tournaments but drafts, newest first."""
    tournaments = Tournament.objects.exclude(state=State.DRAFT).order_by("-pk")
    page = LimitedPaginator(tournaments, TOURNAMENTS_A_PAGE).get_page(request.GET.get("page"))
    won = winners_of([each for each in page if each.state == State.FINISHED])
    for each in page:
        each.winners = [user for group in won.get(each.pk, ()) for user in group.users]
    context = {"page": page, "now": now()}
    return render(request, "tournaments/index.html", context)


@require_safe
@never_cache
def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The page of a tournament: terms, entries, cross tables, what is left for the reader."""
    return _show(request, _public(tournament_id))


@require_safe
def table_csv(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The tables as CSV."""
    return _csv(tournament_id, "table", exports.write_table)


@require_safe
def pairings_csv(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The pairings as CSV."""
    return _csv(tournament_id, "pairings", exports.write_pairings)


def _page(tournament_id: int) -> str:
    return reverse("tournaments:tournament", args=[tournament_id])


action = actions_on(_page, Tournament.DoesNotExist)


@action
def enter(request: HttpRequest, tournament_id: int) -> HttpResponse:
    entering.enter(tournament_id, _reader(request))
    messages.success(request, _("You have entered the tournament."))
    return redirect("tournaments:tournament", tournament_id)


@action
def leave(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Take an entry back; once the tournament runs, ask first, then withdraw."""
    public_tournament, reader = _public(tournament_id), _reader(request)
    if public_tournament.state != State.RUNNING:
        entering.leave(tournament_id, reader)
        messages.success(request, _("You have left the tournament."))
    elif "sure" in request.POST:
        withdrawing.withdraw(tournament_id, reader)
        messages.success(request, _("You have withdrawn from the tournament."))
    else:
        withdrawing.check_in_play(public_tournament, reader)
        matches = withdrawing.running_matches(public_tournament, reader)
        context = {
            "tournament": public_tournament,
            "matches": matches,
            "missed": withdrawing.count_missed(matches, reader),
        }
        return render(request, "tournaments/leave.html", context)
    return redirect("tournaments:tournament", tournament_id)


def _show(request: HttpRequest, public_tournament: Tournament) -> HttpResponse:
    at = now()
    entries = list(public_tournament.entries.select_related("user").order_by("entered_at", "pk"))
    own_entry = next((entry for entry in entries if entry.user_id == request.user.pk), None)
    entered = [entry for entry in entries if entry.status == Entry.Status.ENTERED]
    stages = list(Stage.objects.filter(tournament=public_tournament).order_by("number"))
    groups = groups_of(public_tournament) if stages else []
    context = {
        "tournament": public_tournament,
        "terms": describe(public_tournament.terms),
        "entries": entered,
        "mine": own_entry,
        "may_enter": public_tournament.state == State.OPEN
        and public_tournament.opens_at <= at < public_tournament.closes_at,
        "may_withdraw": own_entry is not None
        and in_play(own_entry.user_id).filter(pk=own_entry.pk).exists(),
        "stages": [{"stage": stage, "groups": _shown(stage, groups)} for stage in reversed(stages)],
        "winners": winners_of([public_tournament]).get(public_tournament.pk, []),
        "left": [] if own_entry is None else _left(groups, own_entry.user_id),
        "not_begun": [] if own_entry is None else _not_begun(groups, own_entry.pk),
        "now": at,
    }
    return render(request, "tournaments/tournament.html", context)


def _shown(stage: Stage, groups: list[GroupTable]) -> list[cross_tables.ShownGroup]:
    own = [group for group in groups if group.group.stage_id == stage.pk]
    return [cross_tables.shown(group, is_final=stage.number == 2) for group in own]


def _left(groups: list[GroupTable], reader: int) -> list[Player]:
    """The reader's live matches, the nearest deadline first; two queries."""
    ids = {
        pk
        for group in groups
        for pairing in group.pairings
        if pairing.match is not None
        for pk in (pairing.match.pk, pairing.match.twin_id)
        if pk is not None
    }
    own_seats = Player.objects.filter(user=reader, live=True, match__in=ids).select_related("match")
    players = list(own_seats.order_by("-to_act", "deadline", "match"))
    seat_opponents(players)
    return players


def _not_begun(groups: list[GroupTable], entry: int) -> list[tuple[User, datetime]]:
    """The opponents whom the reader has not begun to play yet, each with the last date."""
    left = []
    for group in groups:
        stage = group.group.stage
        entries = {row.lot.pk: row.lot.entry for row in group.rows}
        for pairing in group.pairings if stage.over_at is None else ():
            south, north = entries[pairing.south_id], entries[pairing.north_id]
            if pairing.waiting and entry in (south.pk, north.pk):
                other = north if entry == south.pk else south
                left.append((other.user, stage.ends_at))
    return left


def _csv(
    tournament_id: int, name: str, write: Callable[[Tournament, TextIO], None]
) -> HttpResponse:
    public_tournament, file = _public(tournament_id), io.StringIO()
    write(public_tournament, file)
    response = HttpResponse(file.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = (
        f'attachment; filename="tournament-{public_tournament.pk}-{name}.csv"'
    )
    return response


def _public(tournament_id: int) -> Tournament:
    public_tournament = (
        Tournament.objects.exclude(state=State.DRAFT).filter(pk=tournament_id).first()
    )
    if public_tournament is None:
        raise Http404
    return public_tournament


def _reader(request: HttpRequest) -> Any:
    """The signed-in user; all callers require sign-in."""
    return request.user
