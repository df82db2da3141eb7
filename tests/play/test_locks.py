"""A move takes its match and then the clocks: taken the other way round, the two would lock up."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.play import commands, courtesies, outages
from games.play.models.match import Match
from games.play.models.time import Adjustment, Heartbeat
from games.relay.moment import now
from games.rules.core.army import Seat
from tests.play.tables import People

DAY = timedelta(days=1)


def give(match: Match, who: People) -> None:
    courtesies.give_day(match.pk, who.bob)


def extend(match: Match, who: People) -> None:
    commands.extend(match.pk, Seat.SOUTH, DAY)


def credit(match: Match, who: People) -> None:
    at = now()
    Heartbeat.objects.create(began=at - DAY, beaten=at - DAY / 2)
    assert outages.settle() == 1


@pytest.mark.parametrize("act", [give, extend, credit])
def test_what_sets_a_clock_leaves_the_row_of_the_match_alone(
    match: Match, who: People, act: Callable[[Match, People], None]
) -> None:
    with CaptureQueriesContext(connection) as asked:
        act(match, who)
    assert Adjustment.objects.filter(match=match).exists()
    written = [query["sql"] for query in asked if 'UPDATE "play_match"' in query["sql"]]
    assert not written
