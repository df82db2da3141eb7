"""The pages of ratings find their rows by indexes, however many results there are."""

import random
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.play.models.match import Match, Player
from games.ratings.glicko.counting import Standing, leads_until
from games.ratings.glicko.formula import State
from games.ratings.models import Rating, Unit
from games.ratings.pages import leaders
from lib.db_clock import now
from tests import tiers
from tests.shared_rows import shared_rows

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]


class Size(NamedTuple):
    """How long the tables are."""

    players: int
    units: int
    unrated: int  # matches, so that reading all is expensive


SHORT, LONG = Size(200, 2000, 4000), Size(200, 4000, 12_000)
# Of the tables that grow with every result, as PostgreSQL and SQLite say it.
GROWING = "(ratings_unit|play_match|play_player)"
WHOLE_TABLE = re.compile(rf"Seq Scan on {GROWING}\b|^SCAN {GROWING}\b(?!.* USING )", re.MULTILINE)
STATE: dict[str, Any] = {
    f"{side}_{when}{part}": value
    for side in ("south", "north")
    for when in ("before", "after")
    for part, value in (("", 1500.0), ("_deviation", 60.0), ("_volatility", 0.06))
}


@pytest.fixture(
    scope="module",
    autouse=True,
    params=tiers.parameters((SHORT, LONG), fast=[SHORT]),
    ids=["short", "long"],
)
def _long_table(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    with shared_rows(django_db_blocker):
        fill(request.param)
        yield


def fill(size: Size) -> None:
    """Write rows, as after some years, with as many players as one result in twenty."""
    rng = random.Random(3)
    users = User.objects.bulk_create(
        User(username=f"p{n}", handle_key=f"p{n}", email=f"p{n}@example.org")
        for n in range(size.players)
    )
    at = now()
    columns = {"preset": "assaut", "pace": "3d", "setup_pace": "5d", "rated": True}
    over = {"status": "finished", "result": "S", "reason": "resigned", "is_final": True}
    matches = Match.objects.bulk_create(
        Match(**columns, **over, created_at=at, finished_at=at - timedelta(hours=number))
        for number in range(size.units)
    )
    Match.objects.bulk_create(
        (Match(**{**columns, "rated": False}, **over, created_at=at) for _ in range(size.unrated)),
        1000,
    )
    pairs = [rng.sample(users, 2) for _match in matches]
    Player.objects.bulk_create(
        Player(match=match, user=user, seat=seat, live=False)
        for match, pair in zip(matches, pairs, strict=True)
        for seat, user in enumerate(pair)
    )
    Unit.objects.bulk_create(
        Unit(
            family="assaut",
            number=number,
            match=match,
            south=south,
            north=north,
            finished_at=at - timedelta(hours=size.units - number),
            final_at=at - timedelta(hours=size.units - number),
            quarters=4,
            least_turns=9,
            how="resign",
            **STATE,
        )
        for number, (match, (south, north)) in enumerate(zip(matches, pairs, strict=True), 1)
    )
    standing = Standing(State(1500, 60), at)
    Rating.objects.bulk_create(
        Rating(
            user=user,
            family=family,
            rating=rng.gauss(1500, 200),
            deviation=60,
            last_at=at,
            counted=40,
            leads_until=leads_until(standing, 40),
        )
        for user in users
        for family in ("assaut", "lattaque", "tactique", "domino")
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def plan(sql: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"{connection.ops.explain_query_prefix()} {sql}")
        return "\n".join(row[-1] for row in cursor.fetchall())


@pytest.mark.parametrize(
    "page",
    [
        "/ratings/",
        "/ratings/assaut/",
        "/ratings/assaut/?after={user}",
        "/people/profile/p7/",
        "/people/profile/p7/ratings/assaut/",
    ],
)
def test_no_page_reads_a_whole_table(client: Client, page: str) -> None:
    user = User.objects.get(username="p7")
    with CaptureQueriesContext(connection) as queries:
        assert client.get(page.format(user=user.pk)).status_code == 200
    statements_run = [query["sql"] for query in queries if " FROM " in query["sql"]]
    assert statements_run
    for sql in statements_run:
        assert not WHOLE_TABLE.search(plan(sql)), f"{sql}\n{plan(sql)}"


def test_the_unit_of_a_match_is_found_by_an_index() -> None:
    match = Unit.objects.get(number=17).match_id
    assert not WHOLE_TABLE.search(Unit.objects.filter(match=match).explain())


def test_the_search_of_the_admin_for_a_match_uses_an_index() -> None:
    match = Unit.objects.get(number=17).match_id
    page = admin.site._registry[Unit]
    request, units = RequestFactory().get("/"), Unit.objects.all()
    matching_units, _repeats = page.get_search_results(request, units, str(match))
    assert [unit.number for unit in matching_units] == [17]
    assert not WHOLE_TABLE.search(matching_units.explain())


def test_the_leader_table_is_read_from_its_index() -> None:
    listed = Rating.objects.filter(family="assaut", leads_until__gt=now())
    assert "rating_leaders" in listed.order_by("-rating", "user")[: leaders.TOP].explain()
