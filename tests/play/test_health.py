"""Readiness: while no move can be stored, nobody loses on time."""

import json
from collections.abc import Callable

import pytest
from django.db import connection

from games.outbox.models import Dispatch
from games.play.clocks import outages
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.record import match_store
from games.play.views import health as ready_view
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.stack import Stack

pytestmark = pytest.mark.postgresql

READY = "/health/ready"
READ_ONLY = {
    "sqlite": "PRAGMA query_only = 1",
    "postgresql": "SET default_transaction_read_only = on",
}
WRITABLE = {
    "sqlite": "PRAGMA query_only = 0",
    "postgresql": "SET default_transaction_read_only = off",
}

# A match whose time will be up in an hour, and what the workers do about that two hours later.
BEGIN = """
from datetime import timedelta
from games.play import tasks
from games.play.models.match import Player
from games.outbox.db_clock import now
from tests.play import match_helpers
match_helpers.running_match(match_helpers.people(), "a4-a5")
Player.objects.filter(to_act=True).update(deadline=now() + timedelta(hours=1))
tasks.beat()
"""
LATER = """
import json
from datetime import timedelta
from games.play import tasks
from games.play.models.match import Match
from games.play.models.time import Outage
from games.outbox.db_clock import frozen_at, now
with frozen_at(now() + timedelta(hours=2)):
    tasks.beat()
    tasks.sweep()
print(json.dumps([Match.objects.get().status, Outage.objects.count()]))
"""


@pytest.fixture(autouse=True)
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test is answered with what another one found out a moment ago."""
    monkeypatch.setattr(ready_view, "_checked_at", float("-inf"))


def everything() -> list[object]:
    return [list(kind.objects.order_by("pk").values()) for kind in (Match, Player, Ply, Dispatch)]


def test_asking_changes_nothing(who: People, client) -> None:
    match_helpers.running_match(who, "a4-a5")
    before = everything()
    response = client.get(READY)
    assert (response.status_code, response.content) == (204, b"")
    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_a_database_that_takes_no_writes_is_not_ready(who: People, client) -> None:
    match_helpers.running_match(who, "a4-a5")
    outages.beat()
    with connection.cursor() as cursor:
        cursor.execute(READ_ONLY[connection.vendor])
    try:
        assert client.get(READY).status_code == 503
    finally:
        with connection.cursor() as cursor:
            cursor.execute(WRITABLE[connection.vendor])


def test_another_key_than_the_one_that_sealed_is_not_ready(who: People, client, settings) -> None:
    match_helpers.running_match(who, "a4-a5")
    settings.SEAL_KEYS = ["another key of at least thirty-two letters"]
    assert client.get(READY).status_code == 503


def test_matches_that_are_broken_do_not_stop_time_for_all(who: People, client, monkeypatch) -> None:
    count = match_store.SAMPLE_PLIES + 2
    matches = [match_helpers.running_match(who, "a4-a5") for _ in range(count)]
    Ply.objects.exclude(match=matches[-1]).update(sealed=b"broken")
    assert client.get(READY).status_code == 204
    Ply.objects.update(sealed=b"broken")
    monkeypatch.setattr(ready_view, "_checked_at", float("-inf"))
    assert client.get(READY).status_code == 503


def test_where_nobody_plays_it_is_ready(db: None, client) -> None:
    assert client.get(READY).status_code == 204


def test_however_often_it_is_asked_the_database_is_asked_once_a_second(
    who: People, client, django_assert_num_queries
) -> None:
    match_helpers.running_match(who, "a4-a5")
    client.get(READY)
    with django_assert_num_queries(0):
        assert client.get(READY).status_code == 204


@pytest.mark.servers
def test_a_web_server_that_is_down_alone_costs_nobody_a_match(stack: Callable[..., Stack]) -> None:
    service = stack(web=1, workers=0, beat=0)
    service.environment["WEB_URL"] = service.url()
    service.shell(BEGIN)
    service.kill("web1")
    assert json.loads(service.shell(LATER).splitlines()[-1]) == ["running", 0]
    service.start("web1")
    service.wait_until_up("web1")
    # The time since the last beat is given back, and the match goes on.
    assert json.loads(service.shell(LATER).splitlines()[-1]) == ["running", 1]
