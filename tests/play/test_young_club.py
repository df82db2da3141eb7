"""A new club without history: how often the breaker opens although nothing is wrong.

Members sign up in the evenings of three days. A third of them never return after some turns, and
their matches run out in the following weeks, mostly also in evenings.
"""

from random import Random

import pytest
from pytest_django import Settings

from games.play.clocks import breaker

DAY_HOURS, DAYS = 24.0, 30
CLUBS = 20
WINDOW_HOURS = breaker.WINDOW / breaker.HOUR
LEAVE, FORGET = 0.35, 0.004  # never to return; at each turn, on any day
MATCHES = 6
PACES_HOURS = (12, 24, 24, 48, 72)
TO_MOVE = 0.6  # of the members so far, at any time


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


def false_stops(rng: Random, members: int) -> int:
    """How often more members lose within two hours than the breaker allows; released each time."""
    arrivals, losses = losses_on_time(rng, members)
    stops, released = 0, 0.0
    for number, (hour, _member) in enumerate(losses):
        begin = max(hour - WINDOW_HOURS, released)
        recent = {member for at, member in losses[: number + 1] if at > begin}
        here = sum(came < hour for came in arrivals)
        if len(recent) > breaker.floor(int(TO_MOVE * here)):
            stops, released = stops + 1, hour
    return stops


@pytest.mark.parametrize(("members", "most"), [(12, 0.0), (24, 0.1), (60, 0.5), (120, 1.0)])
def test_a_club_without_a_past_is_stopped_once_a_month_at_the_most(
    members: int, most: float
) -> None:
    stops = [false_stops(Random(seed), members) for seed in range(CLUBS)]
    assert sum(stops) / CLUBS <= most


def test_without_the_floor_that_grows_it_would_be_stopped_every_other_day(
    settings: Settings,
) -> None:
    settings.TIMEOUTS_PERCENT = 0
    stops = [false_stops(Random(seed), 120) for seed in range(CLUBS)]
    assert sum(stops) / CLUBS > 5
