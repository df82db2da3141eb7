"""A player's matches as rows with only the columns that their front page shows."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Case, F, QuerySet

from games.play.models.match import Match, Player, Status
from games.play.record import match_view
from games.play.record.sealed import notebooks
from games.play.record.sealed.answering_plans import plan_answers_at
from games.play.record.snapshot import Entry
from games.rules.core.basics.pieces import Seat
from lib.database.prepared_queries import PreparedQuery

MAX_ROWS = 50  # matches of each kind on the front page
FIRST_WORDS_CHARACTERS = 60  # characters shown of a player's notes


class ListedMatch(NamedTuple):
    """One match of a player: columns of their seat, of the match and of the opponent's seat."""

    seat: int
    to_act: bool
    deadline: datetime | None
    number: int  # the match id
    preset: str
    switches: dict[str, Any]
    status: str
    draw_offer: int | None
    paused_at: datetime | None
    ply: int  # the newest
    opening: int | None
    twin_id: int | None
    opponent: str  # username
    opponent_deadline: datetime | None
    player_id: int  # the player's own
    note: bytes | None  # the player's private notes, sealed
    talk_unread: int  # lines by the opponent
    # When the player's plan answers the turn; None if it does not.
    plan_answers_at: datetime | None = None

    @property
    def first_words(self) -> str:
        """The beginning of the player's private notes."""
        text = " ".join(notebooks.open_part("note", self.player_id, self.note).split())
        return text if len(text) <= FIRST_WORDS_CHARACTERS else f"{text[:FIRST_WORDS_CHARACTERS]}…"


def on_turn(user_id: int) -> list[ListedMatch]:
    """Matches in which it is the player's turn, by hand or by plan, the nearest deadline first."""
    return [ListedMatch(*row) for row in seats_on_turn(user_id=user_id)]


def not_on_turn(user_id: int) -> list[ListedMatch]:
    """Live matches in which it is the opponent's turn, the newest first."""
    return [ListedMatch(*row) for row in seats_not_on_turn(user_id=user_id)]


def unseen(user_id: int) -> list[ListedMatch]:
    """Matches that are over, with a result or talk that the player has not seen."""
    return [ListedMatch(*row) for row in seats_unseen(user_id=user_id)]


def full_matches(listed: Iterable[ListedMatch]) -> dict[int, Match]:
    """The Match objects of those that are over or in a set, with twins; at most one query."""
    wanted = [
        each.number
        for each in listed
        if each.twin_id is not None or each.status not in Status.live()
    ]
    return Match.objects.select_related("twin").in_bulk(wanted)


def last_moves(listed: Iterable[ListedMatch]) -> dict[int, Entry]:
    """The newest ply of each match that has had one since the set-ups, by match id; one query."""
    played = {each.number: each.ply for each in listed if each.ply > (each.opening or each.ply)}
    return match_view.newest_entries(played)


@PreparedQuery
def seats_on_turn(user_id: int) -> QuerySet[Any, Any]:
    seats = _both_sides(user_id, plan_answers_at()).filter(live=True, to_act=True)
    return seats.order_by(F("deadline").asc(nulls_last=True), "match_id")[:MAX_ROWS]


@PreparedQuery
def seats_not_on_turn(user_id: int) -> QuerySet[Any, Any]:
    seats = _both_sides(user_id).filter(live=True, to_act=False)
    return seats.order_by("-match_id")[:MAX_ROWS]


@PreparedQuery
def seats_unseen(user_id: int) -> QuerySet[Any, Any]:
    return _both_sides(user_id).filter(unseen=True).order_by("match_id")[:MAX_ROWS]


def _both_sides(user_id: int, *more: Case) -> QuerySet[Any, Any]:
    other = Seat.SOUTH + Seat.NORTH - F("seat")
    return Player.objects.filter(user=user_id, match__players__seat=other).values_list(
        "seat",
        "to_act",
        "deadline",
        "match_id",
        "match__preset",
        "match__switches",
        "match__status",
        "match__draw_offer",
        "match__paused_at",
        "match__ply",
        "match__opening",
        "match__twin_id",
        "match__players__user__username",
        "match__players__deadline",
        "id",
        "notebook__note",
        "talk_unread",
        *more,
    )
