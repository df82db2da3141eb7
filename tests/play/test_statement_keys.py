"""Statements of the busiest pages name a match or a user in the tables that grow with every move.

So these tables can be divided by the match or the user, among partitions or machines, and each
statement finds its rows in one of them (docs/running/scale.md).
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from games.idempotency.replay import new_key
from tests.api.client import Program
from tests.floors import at_least
from tests.mail import post
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql

GROWING = (
    "play_ply",
    "play_player",
    "outbox_dispatch",
    "outbox_storedresponse",
    "idempotency_storedapiresponse",
)
KEYS = ("match_id", "user_id")
# Equal to a value, or within a subquery to the key of the row that it belongs to.
CONDITIONS = (
    re.compile(r'"(match_id|user_id)" (=|IN) ?\(?[0-9%$]'),
    re.compile(r'"match_id" = \("play_match"."id"\)'),
    re.compile(r'"user_id" = \("accounts_user"."id"\)'),
)
TABLE = re.compile(rf'"({"|".join(GROWING)})"')


def without_key(statements: Iterable[str]) -> list[str]:
    """Those that touch a table that grows, and have no key of a match or a user."""
    return [sql for sql in statements if TABLE.search(sql) and not has_key(sql)]


def has_key(sql: str) -> bool:
    if sql.startswith("INSERT"):
        columns = sql.partition("(")[2].partition(")")[0]
        return any(f'"{key}"' in columns for key in KEYS)
    condition = sql[sql.find(" WHERE ") :] if " WHERE " in sql else ""
    return any(pattern.search(condition) for pattern in CONDITIONS)


def statements(job: Callable[[], Any]) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        job()
    captured = [query["sql"] for query in queries.captured_queries]
    return at_least(1, [sql for sql in captured if TABLE.search(sql)])


def test_a_statement_without_a_key_is_detected() -> None:
    assert without_key(['SELECT * FROM "play_ply" WHERE "id" = 3'])
    assert without_key(['SELECT * FROM "play_player" JOIN x ON "match_id" = y."id"'])
    assert not without_key(['SELECT * FROM "play_ply" WHERE "play_ply"."match_id" = 3'])


def test_the_busiest_pages_name_a_match_or_a_user(who: People) -> None:
    client = client_of(who.alice)
    match = match_helpers.running_match(who)
    page = reverse("play:match", args=[match.pk])
    form = {"move": "a4-a5", "ply": match.ply, "idempotency_key": new_key(who.alice)}
    queries = statements(lambda: client.get(page))
    queries += statements(lambda: client.get("/"))
    queries += statements(lambda: client.post(reverse("play:move", args=[match.pk]), form))
    assert not without_key(queries)


def test_a_move_over_the_api_names_a_match_or_a_user(who: People) -> None:
    program = Program(who.alice, "read", "play")
    match = match_helpers.running_match(who)
    body = {"move": "a4-a5", "ply": match.ply}
    path = f"/matches/{match.pk}/moves"
    queries = statements(
        lambda: program.send("POST", path, body, HTTP_IDEMPOTENCY_KEY="a-key-of-a-move")
    )
    assert not without_key(queries)


def test_a_mailed_move_names_a_match_or_a_user(who: People, settings: Settings) -> None:
    settings.DEMO, settings.MAIL_AUTHSERV_ID = True, ""  # every sender counts as authenticated
    match = match_helpers.running_match(who)
    turn, message = post.email(who.alice), post.written(who.alice, "a4-a5")
    queries = statements(lambda: post.take(turn, message))
    assert match_helpers.as_is(match).ply == match.ply + 1
    assert not without_key(queries)
