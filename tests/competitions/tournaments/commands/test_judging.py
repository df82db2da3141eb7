"""The last date: a player who has used more than twice the opponent's time loses."""

from datetime import timedelta

import pytest

from games.competitions.tournaments.commands import judging
from games.competitions.tournaments.models import State
from games.play.models.match import Match
from games.play.models.time import Outage
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import after
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]
HOUR = timedelta(hours=1)


def hours(used: dict[Seat, timedelta]) -> tuple[float, float]:
    return used[Seat.SOUTH] / HOUR, used[Seat.NORTH] / HOUR


def played(who: People) -> Match:
    """South moved after 10 hours, North after 4; South has thought for 3 at after(1)."""
    with frozen_at(after(1) - 17 * HOUR):
        match = match_helpers.set_up(match_helpers.new_match(who))
    for move, at in (("a4-a5", after(1) - 7 * HOUR), ("j7-j6", after(1) - 3 * HOUR)):
        with frozen_at(at):
            match_helpers.play(match, move)
    return match


def test_time_is_counted_by_turns_and_the_wall_clock(who: People) -> None:
    assert hours(judging.time_used(played(who), after(1))) == (13, 4)


def test_outages_are_not_counted(who: People) -> None:
    match = played(who)
    start = after(1) - 16 * HOUR
    Outage.objects.create(start=start, end=start + 5 * HOUR)
    Outage.objects.create(start=start + HOUR, end=start + 2 * HOUR)
    assert hours(judging.time_used(match, after(1))) == (8, 4)


def test_before_the_first_move_no_time_is_used(who: People) -> None:
    with frozen_at(after(0)):
        match = match_helpers.new_match(who)
    assert hours(judging.time_used(match, after(30))) == (0, 0)


@pytest.mark.parametrize(
    ("south", "north", "signs"), [(13, 4, "<>"), (4, 13, "><"), (8, 4, "~~"), (0, 0, "~~")]
)
def test_more_than_twice_the_opponents_time_loses(south: int, north: int, signs: str) -> None:
    used = {Seat.SOUTH: south * HOUR, Seat.NORTH: north * HOUR}
    assert "".join(judging.verdict(used, seat) for seat in Seat) == signs


def test_the_last_date_ends_the_stage_and_matches_continue() -> None:
    made = playing.drawn(playing.members(3), days=30, at_once=1)
    playing.tick(after(29.9))
    made.refresh_from_db()
    assert made.state == State.RUNNING
    playing.tick(after(30))
    made.refresh_from_db()
    assert made.state == State.FINISHED
    text = playing.csv(made, pairings=True)
    assert text.count(",~,~,") == 3
    # One has begun and goes on; its end no longer counts here.
    (match,) = Match.objects.filter(event=made.event_key)
    assert match.is_live
    playing.end_all(made, after(31))
    playing.tick(after(31))
    assert playing.csv(made, pairings=True) == text


def test_the_stage_waits_for_a_loss_on_time_just_before() -> None:
    made = playing.drawn(playing.members(3), days=30)
    for match in Match.objects.filter(event=made.event_key):
        winner = match.players.order_by("user").first().user
        playing.end(match, winner, after(29), on_time=True)
    playing.tick(after(30))
    made.refresh_from_db()
    assert made.state == State.RUNNING
    playing.tick(after(31))
    made.refresh_from_db()
    assert made.state == State.FINISHED
    assert "~" not in playing.csv(made, pairings=True)
