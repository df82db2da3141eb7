"""Lock order: every command locks the match before the clocks, so that none deadlock."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.play.clocks import outages
from games.play.commands import courtesies, moderation
from games.play.models.match import Match
from games.play.models.time import Adjustment, Heartbeat
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql

DAY = timedelta(days=1)


def give(match: Match, who: People) -> None:
    courtesies.give_day(match.pk, who.bob)


def extend(match: Match, who: People) -> None:
    moderation.extend(match.pk, Seat.SOUTH, DAY, "A strike.")


def credit(match: Match, who: People) -> None:
    at = now()
    Heartbeat.objects.create(pk=1, started_at=at - DAY, last_beat_at=at - DAY / 2)
    assert outages.credit_match(match.pk) == 1


@pytest.mark.parametrize("act", [give, extend, credit])
def test_commands_that_set_a_clock_do_not_update_the_match_row(
    match: Match, who: People, act: Callable[[Match, People], None]
) -> None:
    with CaptureQueriesContext(connection) as queries:
        act(match, who)
    assert Adjustment.objects.filter(match=match).exists()
    written = [query["sql"] for query in queries if 'UPDATE "play_match"' in query["sql"]]
    assert not written
