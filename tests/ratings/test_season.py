"""A long season in the database: the replay is that of the pure formula, and stays cheap."""

import random
from datetime import timedelta
from itertools import pairwise

import pytest

from accounts.models import User
from games.play.models.match import Match
from games.ratings.glicko import counting
from games.ratings.models import Unit
from games.ratings.replay import differences, facts_of, replay
from tests import tiers
from tests.ratings.results import day

PLAYERS = 40

pytestmark = pytest.mark.django_db


def make_season(players: int, units: int) -> None:
    rng = random.Random(7)
    users = User.objects.bulk_create(
        User(username=f"p{n}", handle_key=f"p{n}", email=f"p{n}@example.org")
        for n in range(players)
    )
    matches = Match.objects.bulk_create(
        Match(preset="lattaque-en", pace="3d", setup_pace="5d", created_at=day(0))
        for _ in range(units)
    )
    rows = []
    for number, match in enumerate(matches, 1):
        south, north = rng.sample(users, 2)
        at = day(number / 10)
        on_time = rng.random() < 0.2
        rows.append(
            Unit(
                family="lattaque",
                number=number,
                match=match,
                south=south,
                north=north,
                finished_at=at,
                final_at=at + timedelta(days=2 * on_time),
                quarters=rng.choice([0, 4] if on_time else [0, 2, 4, None]),
                least_turns=rng.choice([1, 5, 5, 5]),
                how="time" if on_time else "board",
                loser_last_ply_at=day(number / 10 - rng.choice([1, 30])) if on_time else None,
                taken_out=rng.random() < 0.02,
            )
        )
    for before, after in pairwise(rows):
        after.final_at = max(before.final_at, after.final_at)
    Unit.objects.bulk_create(rows)


@pytest.mark.parametrize("length", tiers.parameters((300, 1500), fast=(300,)))
def test_a_replay_from_anywhere_gives_the_ratings_of_the_whole_season(length: int) -> None:
    make_season(PLAYERS, length)
    replay("lattaque")
    units = [unit for unit in Unit.objects.order_by("number") if unit.quarters is not None]
    for unit, rated in zip(units, counting.rate(map(facts_of, units)), strict=True):
        assert unit.why == rated.why
        if rated.after is not None:
            assert unit.south_after == pytest.approx(rated.after[0].rating, abs=1e-6)
    assert {unit.why for unit in units} >= {"", "staff", "short", "absence"}
    # A correction in the middle, replayed from there, is what a replay of everything gives.
    middle = units[len(units) // 2]
    Unit.objects.filter(pk=middle.pk).update(taken_out=not middle.taken_out)
    assert replay("lattaque", middle.number) > 0
    assert not list(differences("lattaque"))
