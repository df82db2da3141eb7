"""The page of a finished match: both armies if they are public, and the result for its reader."""

import re

import pytest
from django.test import Client

from games.play.commands import endings
from games.play.models.match import Match, Status
from games.play.record import match_view
from games.rules.core.basics.pieces import Seat
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People


def page(client: Client, match: Match, query: str = "") -> str:
    response = client.get(f"/match/{match.pk}/{query}")
    assert response.status_code == 200
    return response.content.decode()


def result_heading(text: str) -> str:
    match = re.search(r'<p class="flash [a-z]+" role="status"><span><strong>(.*?)</strong>', text)
    assert match
    return match[1]


def files_at_the_foot(text: str) -> str:
    return "".join(re.findall(r'<th scope="col">([a-j])</th>', text))


def test_both_armies_are_shown_at_once_when_a_match_has_ended(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    assert "North, hidden" in page(client_of(who.alice), match)
    match_helpers.resign(match, Seat.SOUTH)
    for query in ("", "?ply=1"):
        seen = page(client_of(who.alice), match, query)
        assert "North Marshal" in seen and "North, hidden" not in seen
    assert f'href="/archive/{match.pk}/?eyes=south&amp;ply=3">As you saw it</a>' in page(
        client_of(who.alice), match
    )


def test_each_player_keeps_their_own_side_of_the_board(who: People) -> None:
    match = match_helpers.finished_match(who)
    assert files_at_the_foot(page(client_of(who.alice), match)) == "abcdefghij"
    assert files_at_the_foot(page(client_of(who.bob), match)) == "jihgfedcba"


def test_after_an_ending_on_time_armies_stay_hidden_while_it_can_be_taken_back(
    who: People,
) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    Match.objects.filter(pk=match.pk).update(
        status=Status.FINISHED,
        result="N",
        reason="time",
        finished_at=match_view.view_match(match.pk, who.alice).now,
    )
    seen = page(client_of(who.alice), match)
    assert result_heading(seen) == "You ran out of time. Bob won."
    assert "North, hidden" in seen and "North Marshal" not in seen
    assert "As you saw it" not in seen
    assert result_heading(page(client_of(who.bob), match)) == "Alice ran out of time. You won."


@pytest.mark.parametrize(
    ("reader", "sentence", "looks"),
    [
        ("alice", "You resigned. Bob won.", "flash lost"),
        ("bob", "Alice resigned. You won.", "flash won"),
        ("charlie", "Bob won: the other side resigned.", "flash info"),
    ],
)
def test_the_result_is_phrased_for_the_side_of_the_reader(
    who: People, reader: str, sentence: str, looks: str
) -> None:
    match = match_helpers.finished_match(who, loser=Seat.SOUTH)
    seen = page(client_of(getattr(who, reader)), match)
    assert result_heading(seen) == sentence
    assert looks in seen and "flash success" not in seen


def test_a_capture_and_a_draw_are_phrased_for_each_side(who: People) -> None:
    decided = match_helpers.decided_match(who)
    assert result_heading(page(client_of(who.alice), decided)) == "You won: flag captured."
    assert result_heading(page(client_of(who.bob), decided)) == "Alice won: flag captured."
    drawn = match_helpers.running_match(who, "a4-a5", "j7-j6")
    endings.offer_draw(drawn.pk, who.alice)
    endings.accept_draw(drawn.pk, who.bob)
    assert result_heading(page(client_of(who.bob), drawn)) == "Draw: the players agreed."


def test_a_resignation_is_not_reported_as_a_success(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    her = client_of(who.alice)
    after = her.post(f"/match/{match.pk}/resign/", follow=True).content.decode()
    assert result_heading(after) == "You resigned. Bob won."
    assert len(re.findall('class="flash [a-z]+" role="status"', after)) == 1
