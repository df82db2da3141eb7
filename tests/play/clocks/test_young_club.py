"""A young club without a past: how often the breaker opens though nothing is wrong.

Members come in the evenings of three days, a third of them never return after some, and what they
leave behind lapses in the weeks after, mostly in evenings again.
"""

from copy import copy
from datetime import UTC, datetime
from random import Random

import pytest
from pytest_django import Settings

from accounts.models import User
from games.play import time_controls
from games.play.clocks import breaker
from games.play.models.match import Player
from games.play.models.time import Halt, LossOnTime
from lib.db_clock import frozen_at
from tests import tiers
from tests.play import match_helpers
from tests.play.match_helpers import People

DAY_HOURS, DAYS = 24.0, 30
CLUBS = 3
FOUNDED = datetime(2026, 3, 2, tzinfo=UTC)
LEAVE, FORGET = 0.35, 0.004  # never to return; a turn, on any day
MATCHES = 6
PACES_HOURS = (12, 24, 24, 48, 72)
TO_MOVE = 0.6  # of those who have come, at any time


def an_evening(rng: Random, day: float) -> float:
    return int(day) * DAY_HOURS + rng.gauss(20, 2.5)


def losses_on_time(rng: Random, members: int) -> tuple[list[float], list[tuple[float, int]]]:
    """The hours at which members came, and those of each loss, with its member."""
    arrivals, losses = [], []
    for member in range(members):
        came = an_evening(rng, rng.choice((0, 0, 0, 1, 1, 2)))
        arrivals.append(came)
        left = came + rng.expovariate(1 / DAY_HOURS) if rng.random() < LEAVE else None
        for _ in range(rng.randint(1, MATCHES)):
            if left is not None:
                turn = an_evening(rng, left / DAY_HOURS + rng.choice((0, 1)))
                losses.append((turn + rng.choice(PACES_HOURS), member))
            else:
                days = range(int(came / DAY_HOURS) + 1, DAYS)
                lapsed = [day for day in days if rng.random() < FORGET]
                losses += [(an_evening(rng, day), member) for day in lapsed[:1]]
    return arrivals, sorted(losses)


def seat_members(who: People, members: int) -> list[Player]:
    """The member of each number, with a seat in a running match; no clock runs yet."""
    match = match_helpers.running_match(who)
    Player.objects.update(deadline=None)
    users = User.objects.bulk_create(User(username=f"Member{n}") for n in range(members))
    (seat,) = match.players.filter(to_act=True)
    players = []
    for user in users:
        match.pk, seat.pk = None, None
        match.save(force_insert=True)
        seat.match, seat.user = match, user
        seat.save(force_insert=True)
        players.append(copy(seat))
    return players


def false_stops(rng: Random, players: list[Player], staff: User) -> int:
    """How often the breaker opens in the club's first month, each time released at once."""
    LossOnTime.objects.all().delete()
    Halt.objects.all().delete()
    arrivals, losses = losses_on_time(rng, len(players))
    on_the_clock = stops = 0
    for hour, member in losses:
        at, player = FOUNDED + hour * breaker.HOUR, players[member]
        to_move = int(TO_MOVE * sum(came < hour for came in arrivals))
        if to_move != on_the_clock:
            numbers = [one.pk for one in players[:to_move]]
            Player.objects.update(deadline=None)
            Player.objects.filter(pk__in=numbers).update(deadline=at)
            on_the_clock = to_move
        player.deadline = at - time_controls.DEADLINE_GRACE
        with frozen_at(at):
            ended = breaker.allowed([player], at)
            if not ended:
                stops += 1
                assert breaker.release(breaker.open_halt(), staff)
                ended = breaker.allowed([player], at)
            assert ended == [player]
            breaker.note_losses(ended, at)
    return stops


@pytest.mark.parametrize("members", tiers.parameters((12, 24, 120), fast=(24,)))
def test_a_new_club_is_stopped_at_most_once_a_month(who: People, members: int) -> None:
    players = seat_members(who, members)
    for seed in range(CLUBS):
        assert false_stops(Random(seed), players, who.charlie) <= 1


@pytest.mark.soak
def test_without_the_growing_floor_it_would_be_stopped_several_times(
    who: People, settings: Settings
) -> None:
    settings.TIMEOUTS_PERCENT = 0
    assert false_stops(Random(0), seat_members(who, 120), who.charlie) > 2
