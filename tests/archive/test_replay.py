"""Replay of a finished match, ply by ply and from every viewpoint."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.play.commands import endings, moderation
from games.play.models.match import Match, by_seat
from games.rules.core.basics.pieces import Seat
from tests import tiers
from tests.archive.conftest import BATTLE, browser
from tests.archive.shared_match import finished, played, who
from tests.play import match_helpers
from tests.play.match_helpers import People

__all__ = ["finished", "played", "who"]  # fixtures

HIDDEN = {
    "south": (0, 36),
    "north": (36, 0),
    "gallery": (36, 36),
    "open": (0, 0),
}


def page(client: Client, match: Match, query: str = "") -> str:
    return client.get(f"/archive/{match.pk}/{query}").content.decode()


def hidden(html: str) -> tuple[int, int]:
    """The numbers of face-down pieces of South and North."""
    return html.count('class="piece south hidden"'), html.count('class="piece north hidden"')


def replay_links(html: str) -> dict[str, str]:
    bar = re.search(r'<nav class="replay".*?</nav>', html, re.DOTALL)[0].replace("&amp;", "&")
    return dict(re.findall(r'rel="(\w+)" href="([^"]*)"', bar))


def square(html: str, name: str) -> tuple[str, ...]:
    """The classes of a square, and its contents."""
    return re.search(rf'<td data-square="{name}"(?: class="([^"]*)")?>(.*?)</td>', html).groups()


@pytest.mark.parametrize(("eyes", "face_down"), HIDDEN.items())
def test_everybody_may_choose_any_viewpoint(
    finished: Match, who: People, visitor: Client, eyes: str, face_down: tuple[int, int]
) -> None:
    for client in (visitor, browser(who.alice), browser(who.charlie)):
        assert hidden(page(client, finished, f"?ply=0&eyes={eyes}")) == face_down


def test_the_default_viewpoint_is_ones_own_side_or_everything(
    finished: Match, who: People, visitor: Client
) -> None:
    assert hidden(page(browser(who.alice), finished, "?ply=0")) == HIDDEN["south"]
    assert hidden(page(browser(who.bob), finished, "?ply=0")) == HIDDEN["north"]
    assert hidden(page(browser(who.charlie), finished, "?ply=0")) == HIDDEN["open"]
    assert hidden(page(visitor, finished, "?ply=0")) == HIDDEN["open"]


def test_viewpoints_are_named_and_the_current_one_is_marked(
    finished: Match, visitor: Client
) -> None:
    html = page(visitor, finished, "?ply=3&eyes=north")
    assert '<a href="?ply=3&amp;eyes=north#board" aria-current="true">Bob (North)</a>' in html
    for name in ("Alice (South)", "Spectators", "Everything"):
        assert f'#board">{name}</a>' in html


def test_norths_viewpoint_shows_the_board_from_norths_edge(
    finished: Match, visitor: Client
) -> None:
    rows = re.findall(r'<th scope="row">(\d+)</th>', page(visitor, finished, "?eyes=north"))
    assert rows == [str(row) for row in range(1, 11)]
    assert "· seen by Bob (North)" in page(visitor, finished, "?eyes=north")


def test_a_survivor_of_a_battle_is_hidden_again(finished: Match, visitor: Client) -> None:
    """L5: the marshal won on a7; Alice saw it then and sees its back again."""
    assert "hidden" in square(page(visitor, finished, "?ply=5&eyes=south"), "a7")[1]
    assert "North Marshal" in square(page(visitor, finished, "?ply=5&eyes=north"), "a7")[1]


def test_each_ply_has_a_url_and_the_newest_is_the_default(finished: Match, visitor: Client) -> None:
    assert "move 2 (South) of 3" in page(visitor, finished, "?ply=3")
    assert page(visitor, finished) == page(visitor, finished, "?ply=6&eyes=open")


def test_links_keep_the_viewpoint(finished: Match, visitor: Client) -> None:
    assert replay_links(page(visitor, finished, "?ply=3&eyes=gallery")) == {
        "first": "?ply=0&eyes=gallery#board",
        "prev": "?ply=2&eyes=gallery#board",
        "next": "?ply=4&eyes=gallery#board",
        "last": "?ply=6&eyes=gallery#board",
    }
    assert set(replay_links(page(visitor, finished, "?ply=0"))) == {"next", "last"}
    assert set(replay_links(page(visitor, finished))) == {"first", "prev"}


def test_the_page_loads_the_keyboard_script(finished: Match, visitor: Client) -> None:
    assert 'src="/static/js/replay.js"' in page(visitor, finished)


def test_the_last_action_is_marked_and_described(finished: Match, visitor: Client) -> None:
    html = page(visitor, finished, "?ply=3")
    assert square(html, "a5")[0] == "last-from" and square(html, "a6")[0] == "last-to"
    assert "Alice moved from a5 to a6." in html
    html = page(visitor, finished, "?ply=5")
    assert square(html, "a7")[0] == "battle"
    assert "Scout" in html and "Marshal" in html


def test_losses_at_a_ply_are_shown(finished: Match, visitor: Client) -> None:
    assert "×1" not in page(visitor, finished, "?ply=4")
    assert "×1" in page(visitor, finished, "?ply=5")


def test_the_move_list_has_times_and_links(finished: Match, visitor: Client) -> None:
    html = page(visitor, finished, "?ply=2&eyes=south")
    moves = re.search(r'<ul class="moves".*?</ul>', html)[0]
    assert moves.count("<time ") == 6
    link = '<a class="notation" href="?ply=2&amp;eyes=south#board" aria-current="step">j7-j6</a>'
    assert link in moves
    assert "a6xa7[RvM]-" in moves and "Bob resigned." in moves


def test_players_result_and_record_are_on_the_page(finished: Match, visitor: Client) -> None:
    html = page(visitor, finished)
    assert "<h1>Alice – Bob</h1>" in html
    assert "Alice won: the other side resigned." in html
    assert f'href="/archive/{finished.pk}/record/"' in html
    assert 'href="/people/profile/Alice/"' in html


@pytest.mark.parametrize(
    "query",
    ["?ply=7", "?ply=999999999", "?eyes=mine", "?eyes=SOUTH"],
)
def test_an_unknown_ply_or_viewpoint_is_not_found(
    finished: Match, visitor: Client, query: str
) -> None:
    assert visitor.get(f"/archive/{finished.pk}/{query}").status_code == 404


@pytest.mark.parametrize("query", ["?ply=x", "?ply=-1", "?ply=99999999999999999999"])
def test_an_invalid_ply_parameter_is_ignored(finished: Match, visitor: Client, query: str) -> None:
    assert page(visitor, finished, query) == page(visitor, finished)


@pytest.mark.parametrize("number", [4711, 10**30])
def test_an_unknown_match_is_not_found(db: None, visitor: Client, number: int) -> None:
    assert visitor.get(f"/archive/{number}/").status_code == 404
    assert visitor.get(f"/archive/{number}/record/").status_code == 404


@pytest.mark.parametrize("eyes", ["", "&eyes=open", "&eyes=north", "&eyes=nobody"])
def test_a_running_match_redirects_to_its_match_page(
    who: People, visitor: Client, eyes: str
) -> None:
    match = match_helpers.running_match(who, *BATTLE)
    for client in (visitor, browser(who.alice), browser(who.charlie)):
        answer = client.get(f"/archive/{match.pk}/?ply=2{eyes}")
        assert (answer.status_code, answer["Location"]) == (302, f"/match/{match.pk}/?ply=2")
        assert answer.content == b""


def test_a_match_without_a_result_is_never_shown_open(who: People, visitor: Client) -> None:
    void = match_helpers.running_match(who, *BATTLE)
    moderation.void(void.pk, "the server was ill")
    cancelled = match_helpers.running_match(who)
    endings.abort(cancelled.pk, by_seat(cancelled)[Seat.SOUTH].user)
    for match in (void, cancelled):
        for client in (visitor, browser(who.alice), browser(who.charlie)):
            answer = client.get(f"/archive/{match.pk}/?ply=0&eyes=open", follow=True)
            assert answer.redirect_chain == [(f"/match/{match.pk}/?ply=0", 302)]
            assert hidden(answer.content.decode()) != HIDDEN["open"]


@pytest.mark.parametrize("rounds", tiers.parameters((4, 30), fast=(4,)))
def test_the_number_of_queries_does_not_grow_with_the_match(
    who: People, visitor: Client, rounds: int
) -> None:
    def count(match: Match, query: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            page(visitor, match, query)
        return len(queries)

    to_and_fro = ("a4-a5", "j7-j6", "a5-a4", "j6-j7") * rounds
    short, long = match_helpers.finished_match(who), match_helpers.finished_match(who, *to_and_fro)
    page(visitor, short)
    assert count(short, "?ply=2") == count(long, f"?ply={2 * rounds}") == 4


def test_replays_are_not_cached(finished: Match, visitor: Client) -> None:
    assert "no-store" in visitor.get(f"/archive/{finished.pk}/")["Cache-Control"]
    assert visitor.post(f"/archive/{finished.pk}/").status_code == 405
