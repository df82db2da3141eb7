"""Long matches: a page costs no more than in a short match, and a ply takes little space."""

import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People
from tests.servers import Postgres
from tests.stack import Stack

pytestmark = pytest.mark.postgresql_soak

TO_AND_FRO = ("a4-a5", "j7-j6", "a5-a4", "j6-j7")
HEAVIEST = 100_000  # bytes of a page


@pytest.mark.soak
def test_pages_of_a_long_match_are_as_light_as_those_of_a_short_one(who: People) -> None:
    short = match_helpers.running_match(who, *TO_AND_FRO * 6)
    long = match_helpers.running_match(who, *TO_AND_FRO * 45)

    def cost(client: Client, address: str) -> tuple[int, int]:
        with CaptureQueriesContext(connection) as queries:
            response = client.get(address)
        assert response.status_code == 200
        return len(queries), len(response.content)

    for client in (client_of(who.alice), client_of(who.bob), Client()):
        client.get("/help/")
        for page in ("?ply=10", "", "moves/"):
            queries, weight = cost(client, f"/match/{short.pk}/{page}")
            assert queries <= 8
            for late in ("?ply=10", "?ply=170") if page == "?ply=10" else (page,):
                more_queries, more = cost(client, f"/match/{long.pk}/{late}")
                assert more_queries == queries
                # The list has its full length after this many plies; numbers grow by a digit.
                assert more < HEAVIEST and (page == "moves/" or more < weight * 1.1)


PLAYED = f"""
import json
from django.db import connection
from tests.play import match_helpers

who = match_helpers.people()
match = match_helpers.set_up(match_helpers.new_match(who, switches={{"limit": 1000}}))
moves = {TO_AND_FRO!r} * 150
for ply, move in enumerate(moves):
    match_helpers.moves.submit_move(match.pk, who[ply % 2], move, ply + 2)
with connection.cursor() as cursor:
    cursor.execute("VACUUM FULL play_ply")
    cursor.execute("SELECT pg_total_relation_size('play_ply') / count(*) FROM play_ply")
    print(json.dumps(cursor.fetchone()[0]))
"""


@pytest.mark.soak
@pytest.mark.servers
def test_a_ply_takes_little_space_on_postgresql(
    stack: Callable[..., Stack], postgres: Postgres
) -> None:
    """Including its indexes."""
    service = stack(database_url=postgres.create("length"), web=0, workers=0, beat=0)
    assert json.loads(service.shell(PLAYED).splitlines()[-1]) <= 400
