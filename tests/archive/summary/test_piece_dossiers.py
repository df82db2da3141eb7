"""What a player could know of a piece, shown on the replay of an open match."""

import html
import re
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.play.models.match import Match
from tests import tiers
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak

COURSE = ("a4xa7", "j7-j6", "b4-b5", "j6-j7")


def dossier_text(match: Match, query: str) -> str:
    page = Client().get(f"/archive/{match.pk}/?{query}").content.decode()
    section = page.partition('id="dossier"')[2].partition("<form")[0]
    return html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", section)))


@pytest.fixture
def match(who: People) -> Match:
    return match_helpers.finished_match(who, *COURSE)


def test_the_rank_is_unknown_before_a_battle_and_known_after_it(match: Match) -> None:
    before = dossier_text(match, "ply=0&piece=a7&who=south")
    assert (
        "It was: Marshal." in before
        and "Alice could know by then that it was one of these: " in before
        and "Scout" in before
    )
    after = dossier_text(match, "ply=1&piece=a7&who=south")
    assert "Alice could know by then what it was: Marshal." in after
    assert "You saw it on move 1: Marshal." in after
    assert "Move 1 on a7: Marshal against Scout, won." in after
    assert "It has not moved." in after


def test_later_plies_add_reasons_and_the_path(match: Match) -> None:
    text = dossier_text(match, "ply=3&piece=b5&who=north")
    assert "Bob could know by then that it was one of these:" in text
    assert "Moved from b4 to b5 on move 2, so not:" in text
    assert "b4 → b5" in text


def test_an_own_piece_is_known(match: Match) -> None:
    assert "It was Bob’s own piece." in dossier_text(match, "ply=1&piece=a7&who=north")


@pytest.mark.parametrize("square", tiers.parameters(["a7", "a8", "z9", " A7 "], fast=("a7", "z9")))
@pytest.mark.parametrize("player", ["south", "north"])
def test_the_form_keeps_the_square_and_the_player(match: Match, square: str, player: str) -> None:
    query = urlencode({"ply": 1, "piece": square, "who": player})
    page = Client().get(f"/archive/{match.pk}/?{query}").content.decode()
    form = page.partition('id="dossier"')[2].partition("</form>")[0]
    assert f'value="{square.strip().lower()}"' in form
    assert re.findall(r'<option value="(\w*)" selected>', form) == [player]


def test_the_opponent_is_the_default_player(match: Match) -> None:
    assert dossier_text(match, "ply=1&piece=a7") == dossier_text(match, "ply=1&piece=a7&who=south")
    assert dossier_text(match, "ply=1&piece=a7&who=x") == dossier_text(
        match, "ply=1&piece=a7&who=south"
    )


def test_unanswerable_questions_are_refused_with_a_sentence(match: Match) -> None:
    assert "There was no piece on a5 then." in dossier_text(match, "ply=0&piece=a5")
    assert "There is no square “z9” on this board." in dossier_text(match, "ply=0&piece=z9")
    assert "There is no square “<b>x” on this board." in html.unescape(
        Client().get(f"/archive/{match.pk}/?piece=%3Cb%3Exxxxxxx").content.decode()
    )


def test_a_match_that_is_not_open_has_no_dossier(who: People) -> None:
    running = match_helpers.running_match(who, *COURSE)
    answer = Client().get(f"/archive/{running.pk}/?ply=1&piece=a7&who=south", follow=True)
    assert "It was: Marshal" not in answer.content.decode()


@pytest.mark.parametrize("rounds", tiers.parameters((4, 20), fast=(4,)))
def test_it_costs_the_same_number_of_queries_at_any_ply(who: People, rounds: int) -> None:
    last = 4 * rounds
    long = match_helpers.finished_match(
        who, *COURSE, *("b5-b4", "j7-j6", "b4-b5", "j6-j7") * rounds
    )

    def queries(query: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            Client().get(f"/archive/{long.pk}/?{query}")
        return len(captured)

    queries("ply=0")
    assert queries(f"ply={last}") == queries("ply=3")
    assert queries(f"ply={last + 3}&piece=b5") == queries("ply=3&piece=b5") <= queries("ply=3") + 7
