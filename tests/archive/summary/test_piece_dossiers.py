"""What a player could know of a piece, asked on the replay of an open match."""

import html
import re
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.play.models.match import Match
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak

COURSE = ("a4xa7", "j7-j6", "b4-b5", "j6-j7")


def asked(match: Match, query: str) -> str:
    page = Client().get(f"/archive/{match.pk}/?{query}").content.decode()
    section = page.partition('id="dossier"')[2].partition("<form")[0]
    return html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", section)))


@pytest.fixture
def match(who: People) -> Match:
    return match_helpers.finished_match(who, *COURSE)


def test_before_a_battle_nothing_was_known_and_after_it_the_rank(match: Match) -> None:
    before = asked(match, "ply=0&piece=a7&who=south")
    assert (
        "It was: Marshal." in before
        and "Alice could know by then that it was one of these: " in before
        and "Scout" in before
    )
    after = asked(match, "ply=1&piece=a7&who=south")
    assert "Alice could know by then what it was: Marshal." in after
    assert "You saw it on move 1: Marshal." in after
    assert "Move 1 on a7: Marshal against Scout, won." in after
    assert "It has not moved." in after


def test_later_plies_add_reasons_and_the_way(match: Match) -> None:
    text = asked(match, "ply=3&piece=b5&who=north")
    assert "Bob could know by then that it was one of these:" in text
    assert "Moved from b4 to b5 on move 2, so not:" in text
    assert "b4 → b5" in text


def test_an_own_piece_is_no_riddle(match: Match) -> None:
    assert "It was Bob’s own piece." in asked(match, "ply=1&piece=a7&who=north")


@pytest.mark.parametrize("square", ["a7", "a8", "z9", " A7 "])
@pytest.mark.parametrize("player", ["south", "north"])
def test_the_form_keeps_the_square_and_the_player(match: Match, square: str, player: str) -> None:
    query = urlencode({"ply": 1, "piece": square, "who": player})
    page = Client().get(f"/archive/{match.pk}/?{query}").content.decode()
    form = page.partition('id="dossier"')[2].partition("</form>")[0]
    assert f'value="{square.strip().lower()}"' in form
    assert re.findall(r'<option value="(\w*)" selected>', form) == [player]


def test_without_a_player_it_is_the_opponent(match: Match) -> None:
    assert asked(match, "ply=1&piece=a7") == asked(match, "ply=1&piece=a7&who=south")
    assert asked(match, "ply=1&piece=a7&who=x") == asked(match, "ply=1&piece=a7&who=south")


def test_what_cannot_be_answered_is_said(match: Match) -> None:
    assert "There was no piece on a5 then." in asked(match, "ply=0&piece=a5")
    assert "There is no square “z9” on this board." in asked(match, "ply=0&piece=z9")
    assert "There is no square “<b>x” on this board." in html.unescape(
        Client().get(f"/archive/{match.pk}/?piece=%3Cb%3Exxxxxxx").content.decode()
    )


def test_a_match_that_is_not_open_has_no_dossier(who: People) -> None:
    running = match_helpers.running_match(who, *COURSE)
    answer = Client().get(f"/archive/{running.pk}/?ply=1&piece=a7&who=south", follow=True)
    assert "It was: Marshal" not in answer.content.decode()


def test_it_costs_the_same_number_of_queries_at_any_ply(who: People) -> None:
    long = match_helpers.finished_match(who, *COURSE, *("b5-b4", "j7-j6", "b4-b5", "j6-j7") * 20)

    def queries(query: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            Client().get(f"/archive/{long.pk}/?{query}")
        return len(captured)

    queries("ply=0")
    assert queries("ply=80") == queries("ply=3")
    assert queries("ply=83&piece=b5") == queries("ply=3&piece=b5") <= queries("ply=3") + 7
