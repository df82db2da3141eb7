"""Live board of the front pages: which match, what a page costs, and what the script gets."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.play.models.match import Match
from games.watch import live_board
from tests.play import match_helpers

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

Make = Callable[..., Match]


def test_both_front_pages_show_the_match_with_the_newest_move(
    watchable: Make, alice_client: Client
) -> None:
    moved, _newer = watchable(), watchable()
    match_helpers.play(moved, "a4-a5")
    live_board.forget()
    for client in (alice_client, Client()):
        page = client.get("/").content.decode()
        figure = page.partition('id="live-board"')[2].partition("</figure>")[0]
        assert f'<a href="/match/{moved.pk}/">' in figure
        assert f'src="/match/{moved.pk}/small/5.svg"' in figure
        assert "After move 3, Bob is to move." in figure
        assert "js/watch.js" in page


def test_without_a_match_there_is_no_board(alice_client: Client) -> None:
    for client in (alice_client, Client()):
        assert "live-board" not in client.get("/").content.decode()
    assert Client().get("/watch/live/").json() == {"page": None}


def test_the_script_gets_the_newest_board_within_the_minute(watchable: Make) -> None:
    match = watchable()
    visitor = Client()
    first = visitor.get("/watch/live/")
    assert first.json()["image"] == f"/match/{match.pk}/small/4.svg"
    assert first.json()["state"] == "After move 2, Alice is to move."
    known = {"If-None-Match": first.headers["ETag"]}
    assert visitor.get("/watch/live/", headers=known).status_code == 304
    match_helpers.play(match, "a4-a5")
    second = visitor.get("/watch/live/", headers=known)
    assert second.json()["image"] == f"/match/{match.pk}/small/5.svg"
    assert visitor.get(second.json()["image"]).status_code == 200


def test_it_is_not_cached_and_the_same_for_all(watchable: Make, alice_client: Client) -> None:
    watchable()
    assert alice_client.get("/watch/live/").content == Client().get("/watch/live/").content
    assert "no-store" in alice_client.get("/watch/live/").headers["Cache-Control"]


def test_an_unlisted_match_is_never_shown(watchable: Make) -> None:
    watchable(listed=False)
    assert "live-board" not in Client().get("/").content.decode()


def test_the_home_page_makes_no_query_for_it(watchable: Make, alice_client: Client) -> None:
    alice_client.get("/")
    with CaptureQueriesContext(connection) as without:
        alice_client.get("/")
    watchable()
    live_board.forget()
    alice_client.get("/")
    with CaptureQueriesContext(connection) as with_board:
        page = alice_client.get("/")
    assert "live-board" in page.content.decode()
    # The list has a row more, whose last move is one query.
    assert len(with_board) <= len(without) + 1
