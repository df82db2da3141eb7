"""A player's ratings: on the profile, and on a page of their own with graph and results."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.ratings.models import WhyNot
from games.ratings.pages import results, sentences
from lib.db_clock import frozen_at
from tests import tiers
from tests.ratings.results import as_set, count_at, day, finished

PAGE = "/people/profile/Alice/ratings/lattaque/"


def text_of(client: Client, page: str, at: float) -> str:
    with frozen_at(day(at)):
        answer = client.get(page)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_profile_has_the_rating_of_each_game(client: Client, alice: User, bob: User) -> None:
    assert "No rated results yet." in text_of(client, "/people/profile/Alice/", 1)
    finished(alice, bob, "S", day(2))
    finished(bob, alice, "S", day(3))
    finished(alice, bob, "draw", day(4))
    finished(alice, bob, "S", day(5), preset="tactique")
    count_at(day(6))
    text = text_of(client, "/people/profile/Alice/", 6)
    assert text.count('data-label="Rating:"') == 2
    row = text[text.index(PAGE) :].partition("</tr>")[0]
    assert "? ± " in row
    assert re.findall(r">(\d+)</td>", row) == ["3", "1", "1", "1"]
    assert text.count("single matches as") == 0


def test_single_matches_are_counted_by_side_where_sides_differ(
    client: Client, alice: User, bob: User
) -> None:
    first = finished(alice, bob, "S", day(2), preset="assaut")
    second = finished(bob, alice, "S", day(3), preset="assaut")
    as_set(first, second)
    finished(alice, bob, "S", day(3), preset="assaut", rated=False)
    count_at(day(4))
    text = text_of(client, "/people/profile/Alice/", 4)
    assert "single matches as Soldiers: 1 won, 0 drawn, 0 lost." in text
    assert "single matches as Officers: 0 won, 0 drawn, 1 lost." in text
    page = text_of(client, "/people/profile/Alice/ratings/assaut/", 4)
    assert "1 – 1</td>" in page and "1500? to 1500? (±0)" in page


def test_the_page_shows_what_each_result_changed_or_why_it_does_not_count(
    client: Client, alice: User, bob: User
) -> None:
    finished(alice, bob, "S", day(2))
    finished(alice, bob, "N", day(3), turns=1)
    count_at(day(4))
    text = text_of(client, PAGE, 4)
    assert "1500? to 1662? (+162)" in text
    assert "too short. Each side has to make at least 2 moves" in text
    assert text.count('scope="row"') == 2
    assert "1500? to 1338? (−162)" in text_of(client, PAGE.replace("Alice", "Bob"), 4)


@pytest.mark.parametrize("why", WhyNot)
def test_every_reason_has_a_sentence(why: WhyNot) -> None:
    assert "%" not in sentences.why_not(why)


def test_the_graph_has_the_last_result_of_each_week(
    client: Client, alice: User, bob: User, charlie: User
) -> None:
    for number in range(12):
        finished(alice, (bob, charlie)[number % 2], "S", day(number * 10))
        finished(alice, (bob, charlie)[number % 2], "N", day(number * 10 + 0.1))
    count_at(day(130))
    with frozen_at(day(130)):
        points = results.points(alice, "lattaque")
        assert len(points) == 12
        assert not results.points(charlie, "tactique")
    with frozen_at(day(3 * 365 + 60)):
        assert len(results.points(alice, "lattaque")) == 5
    text = text_of(client, PAGE, 130)
    svg = text[text.index("<svg class") :].partition("</svg>")[0]
    assert svg.count(",") > 3 * 13
    assert "<title" in svg and "<desc" in svg and "lowest" in svg
    assert "style" not in svg and "script" not in svg
    line = re.search(r'<polyline points="([^"]+)"', svg)
    assert line and len(line[1].split()) == 13


@pytest.mark.parametrize("more", tiers.parameters((results.NEWEST, 30), fast=(results.NEWEST,)))
def test_the_query_count_of_the_pages_is_constant(
    client: Client, alice: User, bob: User, charlie: User, more: int
) -> None:
    pages = ("/people/profile/Alice/", PAGE)
    finished(alice, bob, "S", day(1))
    count_at(day(2))

    def costs() -> list[int]:
        counted = []
        for page in pages:
            with CaptureQueriesContext(connection) as queries:
                text_of(client, page, 90)
            counted.append(len(queries))
        return counted

    few = costs()
    for number in range(more):
        finished(alice, (bob, charlie)[number % 2], "SN"[number % 2], day(2 + number * 2))
    count_at(day(90))
    assert costs() == few
    assert few == [6, 7]
    assert text_of(client, PAGE, 90).count('scope="row"') == results.NEWEST


def test_the_computer_and_closed_accounts_have_no_ratings(client: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(username="former-player-1")
    for handle in ("former-player-1", "Nobody", "House-Recruit"):
        assert client.get(f"/people/profile/{handle}/ratings/lattaque/").status_code == 404
    assert client.get("/people/profile/former-player-1/ratings/chess/").status_code == 404
