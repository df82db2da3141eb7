"""Leader tables: who is listed, in which order, and how pages follow each other."""

from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.ratings.glicko.counting import LEADER_PERIOD, Standing, leads_until
from games.ratings.glicko.formula import State, aged
from games.ratings.models import Rating
from games.ratings.pages import leaders
from lib.db_clock import frozen_at
from tests.ratings.results import day

pytestmark = pytest.mark.django_db

AT = day(400)


def rated(
    user: User,
    rating: float = 1500,
    *,
    deviation: float = 60,
    counted: int = 10,
    idle: float = 1,
    family: str = "lattaque",
) -> Rating:
    """A rating `idle` days after its last counted result."""
    standing = Standing(State(rating, deviation), AT - timedelta(days=idle))
    return Rating.objects.create(
        user=user,
        family=family,
        rating=rating,
        deviation=deviation,
        last_at=standing.at,
        counted=counted,
        leads_until=leads_until(standing, counted),
    )


def people(count: int) -> list[User]:
    rows = (
        User(username=f"p{n}", handle_key=f"p{n}", email=f"p{n}@example.org") for n in range(count)
    )
    return list(User.objects.bulk_create(rows))


def listed(family: str = "lattaque") -> list[str]:
    with frozen_at(AT):
        return [str(leader.rating.user) for leader in leaders.page(family).leaders]


def test_the_best_come_first_and_equal_ratings_by_their_number() -> None:
    one, two, three, four = people(4)
    for user, points in ((one, 1500), (two, 1600.4), (three, 1500), (four, 1600.3)):
        rated(user, points)
    assert listed() == ["p1", "p3", "p0", "p2"]
    assert listed("tactique") == []


@pytest.mark.parametrize(
    ("lacks", "is_listed"),
    [
        ({}, True),
        ({"counted": 9}, False),
        ({"deviation": 110, "idle": 0.0}, False),
        ({"deviation": 109.9, "idle": 0.0}, True),
        ({"deviation": 111, "idle": 0.0}, False),
        ({"deviation": 105, "idle": 170}, False),
        ({"idle": 179}, True),
        ({"idle": 181}, False),
    ],
)
def test_only_players_with_a_certain_recent_rating_are_listed(
    lacks: dict[str, float], is_listed: bool
) -> None:
    (user,) = people(1)
    rated(user, **lacks)  # type: ignore[arg-type]
    assert bool(listed()) is is_listed


def test_a_player_is_listed_until_the_deviation_reaches_the_limit() -> None:
    state = State(1500, 100)
    until = leads_until(Standing(state, AT), 10)
    assert until is not None
    assert aged(state, (until - AT) / timedelta(days=7)).deviation == pytest.approx(110)
    assert leads_until(Standing(State(1500, 40), AT), 10) == AT + LEADER_PERIOD


def test_blocked_and_closed_accounts_are_not_listed() -> None:
    one, two = people(2)
    rated(one)
    rated(two)
    User.objects.filter(pk=one.pk).update(is_active=False)
    assert listed() == ["p1"]


def test_pages_follow_each_other_at_constant_cost(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number, user in enumerate(people(250)):
        rated(user, 1500 + number // 3)
    seen: list[str] = []
    after = None
    with frozen_at(AT):
        for rows in (100, 100, 50):
            page = leaders.page("lattaque", after)
            assert len(page.leaders) == rows
            assert page.leaders[0].place == len(seen) + 1
            seen += [str(leader.rating.user) for leader in page.leaders]
            after = page.after
        assert after is None
        assert len(set(seen)) == 250
        with django_assert_num_queries(1):
            first = client.get("/ratings/lattaque/").content.decode()
        assert first.count("<tr>") == 101
        last = f"/ratings/lattaque/?after={User.objects.get(username=seen[199]).pk}"
        with django_assert_num_queries(3):
            text = client.get(last).content.decode()
    assert text.count("<tr>") == 51
    assert "First page" in text and ">201<" in text


def test_the_page_of_all_games_has_the_first_rows_of_each(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for user in people(8):
        rated(user, 1500 + user.pk)
        rated(user, 1500 + user.pk, family="tactique")
    with frozen_at(AT), django_assert_num_queries(4):
        text = client.get("/ratings/").content.decode()
    assert text.count('scope="row"') == 2 * leaders.TOP
    assert text.count("Nobody has an established rating") == 2


@pytest.mark.parametrize("after", ["", "x", "0", "99999999999999999999", "7"])
def test_an_unknown_page_is_the_first_one(client: Client, after: str) -> None:
    for user in people(2):
        rated(user)
    with frozen_at(AT):
        assert "p0" in client.get("/ratings/lattaque/", {"after": after}).content.decode()


def test_an_unknown_game_has_no_table(client: Client) -> None:
    assert client.get("/ratings/chess/").status_code == 404
