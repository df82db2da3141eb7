"""History page: a player's own finished matches, with their results in each game."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.archive import finished_matches, results
from games.archive.results import Total
from games.rules.core.basics.pieces import Seat
from tests.archive.conftest import browser
from tests.archive.test_index import shelved
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql

HISTORY = "/archive/history/"


def words(client: Client, query: str = "") -> str:
    text = client.get(HISTORY + query).content.decode()
    return " ".join(re.sub("<[^>]+>", " ", text.partition("<main")[2]).split())


def test_results_are_counted_for_each_game_from_either_seat(who: People) -> None:
    shelved(who, result="S")
    shelved(who, result="N")
    shelved(who, result="N", seats=(who.bob, who.alice))
    shelved(who, result="draw", preset="tactique")
    shelved(who, seats=(who.bob, who.charlie))
    match_helpers.running_match(who)
    assert results.totals(who.alice) == [
        Total("L'Attaque", "lattaque", won=2, lost=1, drawn=0),
        Total("Tactique", "tactique", won=0, lost=0, drawn=1),
    ]
    page = words(browser(who.alice))
    assert "L'Attaque 2 1 0 3" in page.replace("&#x27;", "'")
    assert "Tactique 0 0 1 1" in page


def test_each_match_says_whether_the_reader_won(who: People) -> None:
    match = match_helpers.finished_match(who, loser=Seat.NORTH)
    for reader, side in ((who.alice, "Won"), (who.bob, "Lost")):
        assert f"Alice – Bob L'Attaque {side} Alice won: the other side resigned." in words(
            browser(reader)
        ).replace("&#x27;", "'")
        assert f'href="/match/{match.pk}/"' in browser(reader).get(HISTORY).content.decode()


def test_it_shows_only_the_readers_matches_and_needs_an_account(
    who: People, visitor: Client
) -> None:
    shelved(who)
    assert "None of your matches is finished yet." in words(browser(who.charlie))
    assert visitor.get(HISTORY).status_code == 302


def test_a_long_history_has_pages_and_costs_the_same_queries(
    who: People,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(finished_matches, "MATCHES_PER_PAGE", 3)
    matches = [shelved(who) for _match in range(8)]
    client = browser(who.alice)
    first = client.get(HISTORY).context["page"]
    with django_assert_num_queries(5):
        client.get(HISTORY)
    second = client.get(f"{HISTORY}?older_than={first.older_than}").context["page"]
    seen = [match.pk for match in (*first.matches, *second.matches)]
    assert seen == sorted((match.pk for match in matches), reverse=True)[:6]


def test_the_front_page_links_to_it_after_a_match_is_over(who: People) -> None:
    client = browser(who.alice)
    assert "You have no matches yet." in client.get("/").content.decode()
    match = match_helpers.finished_match(who)
    client.get(f"/match/{match.pk}/")  # the result is seen
    page = client.get("/").content.decode()
    assert "You have no matches yet." not in page
    assert f'href="{HISTORY}"' in page
