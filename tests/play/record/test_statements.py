"""The statements that pages read matches with are prepared, and planned once."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.play.lists import listing
from games.play.record.match_queries import fetch_match_for_page
from games.play.record.match_view import newest_entries, records
from tests.play.match_helpers import People, running_match

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite keeps no plans")
def test_the_query_of_a_match_page_is_planned_once(who: People) -> None:
    """PostgreSQL plans a statement again each time if that seems to cost less."""
    match = running_match(who)
    with connection.cursor() as cursor:
        # As after the first matches of a site, which has no plans and notebooks yet.
        cursor.execute("ANALYZE play_match, play_player")
        for _ in range(12):
            fetch_match_for_page(match.pk, who.alice.pk)
        cursor.execute(
            "SELECT custom_plans, generic_plans FROM pg_prepared_statements"
            " WHERE statement LIKE '%own_notebook%'"
        )
        ((custom, generic),) = cursor.fetchall()
    assert custom == 5
    assert generic > 0


def test_a_list_of_turns_looks_up_no_plan_for_each(who: People) -> None:
    running_match(who)
    plan = listing.seats_on_turn.build(who.alice.pk).explain().upper()
    assert "PLAY_PLAN" in plan
    assert "SUBPLAN" not in plan and "SUBQUERY" not in plan


def test_the_newest_plies_of_any_number_of_matches_are_read_by_one_statement(
    who: People,
) -> None:
    played = [running_match(who, *moves) for moves in (["a4-a5"], ["a4-a5", "j7-j6"])]
    numbers = {match.pk: match.ply for match in played}
    statements = []

    def note(execute: Any, sql: str, *given: Any) -> Any:
        statements.append(sql)
        return execute(sql, *given)

    with connection.execute_wrapper(note):
        entries = newest_entries(numbers)
        newest_entries(dict([*numbers.items()][:1]))
    assert [entry.text for entry in entries.values()] == ["a4-a5", "j7-j6"]
    assert statements[0] == statements[1]


def test_the_plies_of_many_records_are_read_without_their_matches(who: People) -> None:
    numbers = [running_match(who, "a4-a5").pk, running_match(who).pk]
    with CaptureQueriesContext(connection) as queries:
        read = records(numbers, who.alice)
    assert [len(read[number].moves) for number in numbers] == [1, 0]
    of_plies = [query["sql"] for query in queries if "play_ply" in query["sql"]]
    assert len(of_plies) == 2
    assert not [sql for sql in of_plies if '"play_match"' in sql]
