"""A declined draw: the match page tells the player who offered it, until they have moved."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.play.commands import endings
from games.play.models.match import Match
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People
from tests.play.views.test_polling import polling_request

pytestmark = pytest.mark.django_db

DECLINED = "Bob declined the draw."


@pytest.fixture
def match(who: People) -> Match:
    return match_helpers.running_match(who, *match_helpers.FIRST_MOVES)


def page(client: Client, match: Match) -> str:
    return client.get(match.get_absolute_url()).content.decode()


def offered_and_declined(match: Match, who: People) -> None:
    endings.offer_draw(match.pk, who.alice)
    endings.decline_draw(match.pk, who.bob)


def test_on_the_players_own_turn_it_is_shown_until_they_move(who: People, match: Match) -> None:
    her, him = client_of(who.alice), client_of(who.bob)
    offered_and_declined(match, who)
    assert DECLINED in page(her, match)
    assert DECLINED not in page(him, match) and DECLINED not in page(Client(), match)
    match_helpers.play(match, "a5-a6")
    assert DECLINED not in page(her, match)
    match_helpers.play(match, "j6-j5")
    assert DECLINED not in page(her, match)


def test_on_the_opponents_turn_it_stays_after_their_move(who: People, match: Match) -> None:
    match_helpers.play(match, "a5-a6")
    offered_and_declined(match, who)
    match_helpers.play(match, "j6-j5")
    assert DECLINED in page(client_of(who.alice), match)
    match_helpers.play(match, "b4-b5")
    assert DECLINED not in page(client_of(who.alice), match)


def test_another_offer_replaces_it(who: People, match: Match) -> None:
    offered_and_declined(match, who)
    match_helpers.moved_enough(match)
    endings.offer_draw(match.pk, who.alice)
    assert DECLINED not in page(client_of(who.alice), match)
    endings.decline_draw(match.pk, who.bob)
    assert DECLINED in page(client_of(who.alice), match)


def test_an_open_page_updates_itself(who: People, match: Match) -> None:
    her = client_of(who.alice)
    endings.offer_draw(match.pk, who.alice)
    question = polling_request(her, page(her, match))
    endings.decline_draw(match.pk, who.bob)
    assert her.get(**question).json()["sentence"] == DECLINED  # type: ignore[arg-type]


def test_only_a_match_in_which_a_draw_was_offered_costs_a_query(who: People, match: Match) -> None:
    her, counts = client_of(who.alice), []
    page(her, match)
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            page(her, match)
        counts.append(len(queries))
        match_helpers.moved_enough(match)
        offered_and_declined(match, who)
    assert counts[1] == counts[0] + 1
