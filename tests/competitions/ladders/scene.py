"""Helpers of tests of ladders: a ladder with members, and ends of their challenges."""

from __future__ import annotations

from datetime import datetime

from accounts.models import User
from games.competitions import sweeps
from games.competitions.ladders import commands, limits
from games.competitions.ladders.models import Challenge, Change, Ladder, Member
from games.play.commands import finality
from games.play.models.match import Match, Player, ServiceTermination, Status
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.termination import OffBoardTermination
from lib.db_clock import frozen_at
from tests.ratings.results import day

TIME = OffBoardTermination.TIME
FAMILY = "lattaque"


def open_ladder(preset: str = "lattaque-en", *, rated: bool = True) -> Ladder:
    family = preset.partition("-")[0]
    terms = {"pace": "3d", "setup_pace": "5d", "vacations": True, "rated": rated}
    return Ladder.objects.create(family=family, preset=preset, opened_at=day(0), **terms)


def people(count: int) -> list[User]:
    """Users m1, m2 and so on."""
    at_once = {"notification_preferences": {"frequency": "now"}}
    users = [
        User(username=f"m{n}", handle_key=f"m{n}", email=f"m{n}@example.org", **at_once)
        for n in range(1, count + 1)
    ]
    User.objects.bulk_create(users)
    return users


def add_members(
    ladder: Ladder, count: int, at: datetime, users: list[User] | None = None
) -> list[User]:
    """Members who joined at an instant, the first at the head."""
    users = users or people(count)
    Member.objects.bulk_create(
        Member(
            ladder=ladder,
            user=user,
            place=place,
            joined_at=at,
            check_at=at + limits.IDLE_WARNING,
        )
        for place, user in enumerate(users, 1)
    )
    return users


def challenge(challenger: User, challenged: User, at: datetime, family: str = FAMILY) -> Match:
    with frozen_at(at):
        return commands.challenge(family, challenger, challenged.username)


def won(match: Match, winner: User | None, at: datetime, reason: str = "", turns: int = 10) -> None:
    """End a match at an instant, as a draw if there is no winner."""
    players = {player.user_id: player for player in match.players.all()}
    result = "draw"
    if winner is not None:
        seat = Seat(players[winner.pk].seat)
        result = match.rules.seat_letters[seat]
    _end(match, at, Status.FINISHED, result, reason or OffBoardTermination.RESIGNED)
    match.players.update(turns=turns, moved_at=at)
    if reason == TIME and winner is not None:
        Player.objects.filter(match=match).exclude(user=winner).update(missed_at=at)


def aborted(match: Match, by: list[User], at: datetime, *, missed: bool = False) -> None:
    """End a match without a result: aborted or not set up by these players."""
    players = {player.user_id: player for player in match.players.all()}
    seats = "".join(sorted(str(int(players[user.pk].seat)) for user in by))
    reason = ServiceTermination.NO_SHOW if missed else ServiceTermination.ABORTED
    _end(match, at, Status.CANCELLED, "", reason)
    Match.objects.filter(pk=match.pk).update(forfeited_by=seats)
    if missed:
        match.players.filter(user__in=by).update(missed_at=at)


def voided(match: Match, at: datetime) -> None:
    _end(match, at, Status.VOID, "", "The server stood still.")
    match.players.update(missed_at=None)


def _end(match: Match, at: datetime, status: str, result: str, reason: str) -> None:
    Match.objects.filter(pk=match.pk).update(
        status=status, result=result, reason=reason, finished_at=at, ply=9, is_final=False
    )
    match.players.update(live=False, to_act=False, deadline=None, check_at=None, since=None)


def tick(at: datetime) -> dict[str, int]:
    """Everything that is due at an instant; what the sweeps did."""
    with frozen_at(at):
        finality.sweep()
        return dict(sweeps.run_all())


def order(ladder: Ladder) -> list[str]:
    """The names by place; places are 1 to the number of members."""
    rows = list(Member.objects.filter(ladder=ladder).select_related("user").order_by("place"))
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))
    return [row.user.username for row in rows]


def log_of(ladder: Ladder) -> list[tuple[str, int | None, int | None, str]]:
    """The changes but for those that joined: name, from, to, why."""
    changes = Change.objects.filter(ladder=ladder).exclude(why="joined").order_by("pk")
    rows = changes.select_related("user")
    return [(row.user.username, row.from_place, row.to_place, row.why) for row in rows]


def running(ladder: Ladder) -> int:
    return Challenge.objects.filter(ladder=ladder, settled_at=None).count()
