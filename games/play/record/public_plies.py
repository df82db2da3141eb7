"""The public part of plies: who did what kind of thing, and when. No text, no position."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max

from games.play.models.kind import PlyKind
from games.play.models.match import Player
from games.play.models.ply import Ply
from games.rules.core.basics.pieces import Seat


class PublicPly(NamedTuple):
    """One ply of a match: `seat` is None for the server."""

    number: int
    seat: Seat | None
    kind: PlyKind
    at: datetime


def public_plies(match_id: int) -> list[PublicPly]:
    """All plies of a match; one query."""
    rows = Ply.objects.filter(match=match_id).order_by("number")
    return [
        PublicPly(number, None if seat is None else Seat(seat), PlyKind(kind), at)
        for number, seat, kind, at in rows.values_list("number", "seat", "kind", "at")
    ]


def last_move_before(seats: Iterable[Player], instant: datetime) -> datetime | None:
    """When a player last made a move in one of these seats, before or at an instant.

    Their rows say it, except in matches where they have moved since: a query for each of those.
    """
    known: list[datetime] = []
    for player in seats:
        if player.moved_at is None:
            continue
        if player.moved_at <= instant:
            known.append(player.moved_at)
            continue
        moves = Ply.objects.filter(match=player.match_id, seat=player.seat, kind=PlyKind.MOVE)
        earlier = moves.filter(at__lte=instant).aggregate(last=Max("at"))["last"]
        if earlier is not None:
            known.append(earlier)
    return max(known, default=None)
