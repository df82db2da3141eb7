"""Finished matches: filters and pages of the archive's list, newest first.

Keyset pagination: a page is found by a cursor, the instant and the id of the match that it follows,
not by an offset. So the thousandth page takes no longer than the first, and a page is found even if
that match has been reopened.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Prefetch, Q, QuerySet

from accounts.models import User
from games.play.lists import cursors
from games.play.models.match import Match, Player, Status
from games.rules import registry
from games.rules.core.basics.pieces import Seat

MATCHES_PER_PAGE = 50

# The values of `Match.result` with which each seat wins, over all games.
WINNER_LETTERS = {
    seat: {rules.seat_letters[seat] for rules in registry.editions()} for seat in Seat
}
WON_BY = {seat: Q(result__in=letters) for seat, letters in WINNER_LETTERS.items()}


class Page(NamedTuple):
    """A page of matches, and the cursors from which newer and older pages start, if any."""

    matches: Sequence[Match]
    newer_than: str | None
    older_than: str | None


def finished() -> QuerySet[Match]:
    """All finished matches, newest first."""
    return Match.objects.filter(status=Status.FINISHED).order_by("-finished_at", "-pk")


def played_by(matches: QuerySet[Match], player: User, outcome: str = "") -> QuerySet[Match]:
    """The matches of `player`; with `outcome` "won" or "lost" only those with that outcome."""
    seats = Q(players__user=player)
    if outcome:
        # The seat that must have won: the player's own, or the other.
        wins = outcome == "won"
        seats &= Q(
            *(Q(players__seat=seat) & WON_BY[seat if wins else seat.other] for seat in Seat),
            _connector=Q.OR,
        )
    return matches.filter(seats)


def ended_between(
    matches: QuerySet[Match], since: datetime | None, before: datetime | None
) -> QuerySet[Match]:
    """The matches that ended at or after `since` and before `before`; None means no limit."""
    if since:
        matches = matches.filter(finished_at__gte=since)
    return matches.filter(finished_at__lt=before) if before else matches


def with_players(matches: QuerySet[Match]) -> QuerySet[Match]:
    """The matches with their players and users prefetched, South first."""
    players = Prefetch("players", Player.objects.select_related("user").order_by("seat"))
    return matches.prefetch_related(players)


def older(matches: QuerySet[Match], at: datetime, match_id: int) -> QuerySet[Match]:
    """Those that follow a match which ended at `at`, whether or not it still is in the list.

    Among matches that ended at the same instant the id decides, as in the order of the list.
    """
    return matches.filter(finished_at__lte=at).exclude(finished_at=at, pk__gte=match_id)


def page(matches: QuerySet[Match], *, newer_than: str = "", older_than: str = "") -> Page:
    """The page before or after a cursor of a page; the first one for a text that is no cursor."""
    rows = with_players(matches.select_related("twin"))
    follows = False
    if start := cursors.read(newer_than):
        onward = rows.filter(finished_at__gte=start.at)
        onward = onward.exclude(finished_at=start.at, pk__lte=start.number)
        listed = list(onward.reverse()[: MATCHES_PER_PAGE + 1])
        if len(listed) > MATCHES_PER_PAGE:
            listed = listed[MATCHES_PER_PAGE - 1 :: -1]
            return Page(listed, _cursor(listed[0]), _cursor(listed[-1]))
        # At most one page is left, so it is the first.
    elif start := cursors.read(older_than):
        rows = older(rows, start.at, start.number)
        follows = True
    listed = list(rows[: MATCHES_PER_PAGE + 1])
    return Page(
        listed[:MATCHES_PER_PAGE],
        _cursor(listed[0]) if follows and listed else None,
        _cursor(listed[MATCHES_PER_PAGE - 1]) if len(listed) > MATCHES_PER_PAGE else None,
    )


def _cursor(match: Match) -> str:
    if match.finished_at is None:
        raise ValueError("Only a finished match has a cursor.")
    return cursors.write(match.finished_at, match.pk)
