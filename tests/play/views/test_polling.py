"""Polling: an open page learns cheaply that its match has changed, and learns no secret."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.play.commands import endings
from games.rules.core.basics.pieces import Seat
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db


def polling_request(client: Client, page: str) -> dict[str, str]:
    """The request of a page's script, with the version that the page has."""
    match = re.search(r'data-address="([^"]+)" data-version="([^"]+)"', page)
    assert match, page
    return {"path": match[1], "HTTP_IF_NONE_MATCH": f'"{match[2]}"'}


def test_a_page_learns_only_of_its_opponents_move(who: People) -> None:
    match, bob = match_helpers.running_match(who), client_of(who.bob)
    question = polling_request(bob, bob.get(f"/match/{match.pk}/").content.decode())
    assert bob.get(**question).status_code == 304  # type: ignore[arg-type]
    match_helpers.play(match, "a4-a5")
    answer = bob.get(**question)  # type: ignore[arg-type]
    assert answer.json() == {"sentence": "Alice has moved.", "waiting": 1}
    assert answer["Cache-Control"] != "" and "no-store" in answer["Cache-Control"]
    question["HTTP_IF_NONE_MATCH"] = answer["ETag"]
    assert bob.get(**question).status_code == 304  # type: ignore[arg-type]


def test_a_page_learns_of_offers_and_of_the_end(who: People) -> None:
    match, alice = match_helpers.running_match(who, "a4-a5", "j7-j6"), client_of(who.alice)
    question = polling_request(alice, alice.get(f"/match/{match.pk}/").content.decode())
    endings.offer_draw(match.pk, who.bob)
    sentence = alice.get(**question).json()["sentence"]  # type: ignore[arg-type]
    assert sentence == "Bob offers you a draw."
    match_helpers.resign(match, Seat.NORTH)
    sentence = alice.get(**question).json()["sentence"]  # type: ignore[arg-type]
    assert sentence == "The match is over."
    assert "data-version" not in alice.get(f"/match/{match.pk}/").content.decode()


def test_spectators_learn_that_there_is_a_move(who: People) -> None:
    match, visitor = match_helpers.running_match(who), Client()
    question = polling_request(visitor, visitor.get(f"/match/{match.pk}/").content.decode())
    match_helpers.play(match, "a4-a5")
    answer = visitor.get(**question).json()  # type: ignore[arg-type]
    assert answer == {"sentence": "There is a new move.", "waiting": 0}


def test_a_poll_costs_one_query_in_addition_to_the_session(
    who: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match, bob = match_helpers.running_match(who), client_of(who.bob)
    question = polling_request(bob, bob.get(f"/match/{match.pk}/").content.decode())
    with django_assert_num_queries(2):
        assert bob.get(**question).content == b""  # type: ignore[arg-type]
    visitor = Client()
    with django_assert_num_queries(1):
        visitor.get(question["path"])


def test_an_unknown_match_is_not_found(client: Client) -> None:
    assert client.get("/match/99/news/").status_code == 404
    assert client.post("/match/99/news/").status_code == 405
