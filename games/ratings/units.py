"""Units of rating: a match, or a set of two that is scored as one, as a result of two players."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from games.play.lists.opponents import seats_against_people
from games.play.models.match import Match, Player, Status, by_seat
from games.play.record.public_plies import last_move_before
from games.ratings.models import HowEnded
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination

HOW: dict[str, HowEnded] = {
    OffBoardTermination.TIME: HowEnded.TIME,
    OffBoardTermination.RESIGNED: HowEnded.RESIGN,
    OffBoardTermination.AGREED: HowEnded.DRAW,
}


class Side(NamedTuple):
    """One player of a unit in one of its matches."""

    match: Match
    player: Player

    @property
    def seat(self) -> Seat:
        return Seat(self.player.seat)


@dataclass(frozen=True)
class Outcome:
    """What a final unit says: the players, South of its first match first, and their result."""

    match: Match  # the first of the set
    users: tuple[int, int]
    quarters: int | None  # the first player's score in quarters; None: no result
    least_turns: int
    how: HowEnded | None
    finished_at: datetime
    final_at: datetime
    loser_last_ply_at: datetime | None


def first_of(match: Match) -> Match:
    """The match under which a unit is stored: of a set the one with the lower number."""
    twin = match.twin
    return match if twin is None or match.pk < twin.pk else twin


def matches_of(match: Match) -> list[Match]:
    """The matches of a unit, the first one first."""
    twin = match.twin
    return [match] if twin is None else sorted((match, twin), key=lambda each: each.pk)


def is_final(match: Match) -> bool:
    """Whether the last match of a unit is final."""
    return all(each.is_final for each in matches_of(match))


def final_at(match: Match) -> datetime:
    """When the last match of a unit became final; all of them are over."""
    return max(each.final_at for each in matches_of(match) if each.final_at is not None)


def outcome(match: Match) -> Outcome:
    """The outcome of a unit whose matches are all over."""
    matches = matches_of(match)
    seated = {each.pk: by_seat(each) for each in matches}
    users = tuple(seated[matches[0].pk][seat].user_id for seat in (Seat.SOUTH, Seat.NORTH))
    sides = [
        [Side(m, p) for m in matches for p in seated[m.pk].values() if p.user_id == user]
        for user in users
    ]
    quarters = _quarters(matches, sides[0])
    loser = None
    if quarters is not None and quarters != 2:
        loser = sides[0] if quarters < 2 else sides[1]
    how = None if quarters is None else _how(matches, loser)
    finished_at = max(m.finished_at for m in matches if m.finished_at is not None)
    last_move = None
    if how == HowEnded.TIME and loser is not None:
        seats = seats_against_people(loser[0].player.user_id).filter(
            match__created_at__lte=finished_at
        )
        last_move = last_move_before(seats, finished_at)
    return Outcome(
        match=matches[0],
        users=(users[0], users[1]),
        quarters=quarters,
        least_turns=max(min(p.turns for p in seated[m.pk].values()) for m in matches),
        how=how,
        finished_at=finished_at,
        final_at=final_at(match),
        loser_last_ply_at=last_move,
    )


def _quarters(matches: list[Match], sides: list[Side]) -> int | None:
    """A player's score in quarters of the unit; None if it has no result.

    A match of a set that was aborted or not set up is lost by the player who did that, if the
    other match has a result; if both did, each has half.
    """
    statuses = [match.status for match in matches]
    if Status.VOID in statuses or Status.FINISHED not in statuses:
        return None
    halves = sum(side.match.half_points[side.seat] for side in sides)
    return halves * 2 // len(matches)


def _how(matches: list[Match], loser: list[Side] | None) -> HowEnded:
    """How a unit with a result ended."""
    if loser is not None and any(_lost_on_time(side) for side in loser):
        return HowEnded.TIME
    played = [match for match in matches if match.status == Status.FINISHED]
    last = max(played, key=lambda match: (match.finished_at, match.pk))
    return HOW.get(last.reason, HowEnded.BOARD)


def _lost_on_time(side: Side) -> bool:
    match = side.match
    return (
        match.status == Status.FINISHED
        and match.reason == OffBoardTermination.TIME
        and match.result != match.rules.seat_letters[side.seat]
    )
