"""The list of what has been played out, newest first: finished matches and no others.

A page is found by the match it follows and not by counting, so that the thousandth page costs what
the first does.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, Prefetch, Q, QuerySet

from accounts.models import User
from games.play.models.match import Match, Player, Status
from games.rules import registry
from games.rules.core.army import Seat

PAGE = 50

# By what stands in `Match.result` for a victory of each seat, in any game.
LETTERS = {seat: {rules.seat_letters[seat] for rules in registry.presets()} for seat in Seat}
WON_BY = {seat: Q(result__in=letters) for seat, letters in LETTERS.items()}


class Page(NamedTuple):
    """Some matches, each with its `plies`, and where the pages on either side begin, if any."""

    matches: Sequence[Match]
    newer_than: int | None
    older_than: int | None


def finished() -> QuerySet[Match]:
    return Match.objects.filter(status=Status.FINISHED).order_by("-finished_at", "-pk")


def of_player(found: QuerySet[Match], player: User, outcome: str = "") -> QuerySet[Match]:
    """Those in which `player` sat; `outcome` "won" or "lost" leaves only what ended so for them."""
    seats = Q(players__user=player)
    if outcome:
        # The seat that must have won: the player's own, or the other.
        wins = outcome == "won"
        seats &= Q(
            *(Q(players__seat=seat) & WON_BY[seat if wins else seat.other] for seat in Seat),
            _connector=Q.OR,
        )
    return found.filter(seats)


def ended_between(
    found: QuerySet[Match], since: datetime | None, before: datetime | None
) -> QuerySet[Match]:
    if since:
        found = found.filter(finished_at__gte=since)
    return found.filter(finished_at__lt=before) if before else found


def page(
    found: QuerySet[Match], *, newer_than: int | None = None, older_than: int | None = None
) -> Page:
    """A page of `found` next to the match of that number; the first page without one."""
    players = Prefetch("players", Player.objects.select_related("user").order_by("seat"))
    found = (
        found.select_related("twin")
        .prefetch_related(players)
        .annotate(plies=F("ply") - F("opening"))
    )
    if newer_than and (at := _ended_at(newer_than)):
        # On the far side of equal instants the number decides, as in the order itself.
        onward = found.filter(finished_at__gte=at).exclude(finished_at=at, pk__lte=newer_than)
        matches = list(onward.reverse()[: PAGE + 1])
        if len(matches) > PAGE:
            matches = matches[PAGE - 1 :: -1]
            return Page(matches, matches[0].pk, matches[-1].pk)
        # No more than a page is left on that side, so that it is the first.
        older_than = None
    elif older_than and (at := _ended_at(older_than)):
        found = found.filter(finished_at__lte=at).exclude(finished_at=at, pk__gte=older_than)
    else:
        older_than = None
    matches = list(found[: PAGE + 1])
    return Page(
        matches[:PAGE],
        matches[0].pk if older_than and matches else None,
        matches[PAGE - 1].pk if len(matches) > PAGE else None,
    )


def _ended_at(match_id: int) -> datetime | None:
    return finished().filter(pk=match_id).values_list("finished_at", flat=True).first()
