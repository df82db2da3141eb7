"""Seat history: what a player saw at each of their turns, and the moves between.

A program that plays keeps no state of a match; this is all that it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import F, Subquery
from django.db.models.functions import Coalesce

from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.record import match_store
from games.play.record.match_queries import fetch_match
from games.play.record.snapshot import Entry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import Observation, observe

if TYPE_CHECKING:
    from accounts.models import User


class Turn(NamedTuple):
    """A turn of the seat: the ply, what its player saw, and the plies since their last turn."""

    number: int  # the ply with which it began; looks of staff may follow
    observation: Observation
    since: tuple[Entry, ...]
    head: bytes  # of the match's hash chain at this ply
    played: str = ""  # the public text of the move played; empty while it is still to be played


class SeatHistory(NamedTuple):
    """A match as the player in one seat has seen it; the last turn may still be to be played."""

    match: Match
    players: Mapping[Seat, Player]
    seat: Seat
    turns: tuple[Turn, ...]
    at: datetime  # by the database's clock
    head_before: bytes = b""  # of the hash chain at the ply after which it was read
    since: tuple[Entry, ...] = ()  # the plies after the last turn
    after: int = -1  # the ply after which it was read

    @property
    def is_on_turn(self) -> bool:
        """Whether the seat is to act now, so that the last turn is still to be played."""
        return self.match.is_live and self.players[self.seat].to_act


def seat_history(match_id: int, user: User, *, after: int = -1) -> SeatHistory | None:
    """The match as this user's seat has followed it; None without a seat. Two queries.

    With `after`, `turns` are those after this ply, and no position up to it is opened. If it is the
    number of an earlier turn, `head_before` shows whether it is still the same match. Raises
    Match.DoesNotExist.
    """
    match, players, at = fetch_match(match_id)
    seat = next((seat for seat, player in players.items() if player.user_id == user.pk), None)
    if seat is None:
        return None
    plies = Ply.objects.filter(match=match_id)
    moves_before = plies.filter(number__lte=after + 1, seat=seat, kind=PlyKind.MOVE)
    # The seat's newest turn up to `after`: the lines of the next turn begin there.
    heard_from = moves_before.order_by("-number").values(turn=F("number") - 1)[:1]
    rows = list(
        plies.filter(number__gte=Coalesce(Subquery(heard_from), 0), number__lte=match.ply)
        .order_by("number")
        .values_list("number", "seat", "kind", "text", "sealed", "head")
    )
    played = _played(rows, seat)
    if match.is_live and players[seat].to_act:
        played[match.turn_ply] = ""
    turns: list[Turn] = []
    since: list[Entry] = []
    head_before = b""
    for number, by, kind, text, sealed, head in rows:
        since.append(Entry(number, None if by is None else Seat(by), PlyKind(kind), text))
        if number == after:
            head_before = bytes(head)
        if number <= after:
            since = [] if number in played else since
        elif number in played:
            position = match_store.unseal_ply(match_id, number, sealed).read(match.rules)
            seen = observe(match.rules, position, Viewpoint.of_seat(seat))
            turns.append(Turn(number, seen, tuple(since), bytes(head), played[number]))
            since = []
    return SeatHistory(match, players, seat, tuple(turns), at, head_before, tuple(since), after)


def _played(rows: Iterable[tuple[Any, ...]], seat: Seat) -> dict[int, str]:
    """The moves of a seat, each by the ply with which its turn began."""
    played: dict[int, str] = {}
    turn = None
    for number, by, kind, text, *_ in rows:
        if turn is not None and by == seat and kind == PlyKind.MOVE:
            played[turn] = text
        if kind != PlyKind.LOOK:
            turn = number
    return played
