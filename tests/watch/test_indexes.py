"""The list of matches to watch is found by indexes, however many matches the house has played."""

import pytest
from django.db import connection

from games.house import house_accounts
from games.play.models.match import Match, Player
from games.watch import listing
from lib.db_clock import now
from tests import tiers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql


@pytest.mark.parametrize("played", tiers.parameters((300, 1000), fast=(300,)))
def test_matches_of_the_house_are_not_all_read(who: People, played: int) -> None:
    house, at = house_accounts.opponent("recruit"), now()
    matches = Match.objects.bulk_create(
        Match(
            preset="lattaque-en",
            pace="3d",
            setup_pace="3d",
            status="finished" if number % 10 else "running",
            result="S" if number % 10 else "",
            opening=2,
            created_at=at,
        )
        for number in range(played)
    )
    Player.objects.bulk_create(
        Player(match=match, user=user, seat=seat, live=False)
        for match in matches
        for seat, user in enumerate((who.alice, house))
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    plan = listing.newest_rows().explain()
    assert "match_listed" in plan
    assert "player_one_to_a_seat" in plan
    assert "player_matches" not in plan
    assert "Seq Scan on play_player" not in plan
