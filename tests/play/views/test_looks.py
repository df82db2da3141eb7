"""Forms and pages of a match at which staff look meanwhile: what was under way still counts."""

from typing import Any

import pytest
from django.test import Client

from games.play.commands.plans import answering
from games.play.lists import waiting
from games.play.models.match import Match, Status
from games.play.models.plan import Wait
from tests.play import match_helpers
from tests.play.forms import alert, client_of
from tests.play.match_helpers import People, as_is
from tests.play.plan_helpers import save, texts
from tests.play.practice.practice_client import PracticeClient
from tests.play.staff_looks import looked
from tests.play.views.test_plan_page import hidden_fields
from tests.play.views.test_plan_page import post as post_plan

pytestmark = pytest.mark.django_db

LINE = "if j7-j6 then b4-b5"


def response_text(client: Client, match: Match, action: str, **fields: object) -> int:
    status: int = client.post(f"/match/{match.pk}/{action}/", fields).status_code
    return status


def test_a_form_from_before_the_look_plays_its_move_once(match: Match, who: People) -> None:
    seen = match.ply
    looked(match)
    for status in (302, 302):
        assert response_text(client_of(who.alice), match, "move", move="a4-a5", ply=seen) == status
    assert texts(match)[seen + 1 :] == ["", "a4-a5"]
    assert response_text(client_of(who.alice), match, "move", move="b4-b5", ply=seen) == 409


def test_a_form_for_an_older_board_is_refused_as_before(match: Match, who: People) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    older = match.ply - 2
    looked(match)
    assert response_text(client_of(who.alice), match, "move", move="b4-b5", ply=older) == 409
    assert as_is(match).ply == match.ply


def test_a_prepared_move_and_an_offered_draw_survive_the_look(match: Match, who: People) -> None:
    alice, bob = client_of(who.alice), client_of(who.bob)
    match_helpers.play(match, *match_helpers.FIRST_MOVES)
    seen = match.ply
    assert response_text(alice, match, "prepare", move="b4-b5", ply=seen) == 302
    assert response_text(alice, match, "offer-draw") == 302
    looked(match)
    assert 'value="b4-b5"' in alice.get(match.get_absolute_url()).content.decode()
    assert response_text(bob, match, "accept-draw") == 302
    assert as_is(match).status == Status.FINISHED


def test_a_declined_draw_is_shown_until_the_player_moves_despite_looks(
    match: Match, who: People
) -> None:
    alice, bob = client_of(who.alice), client_of(who.bob)
    sentence = "Bob declined the draw."
    match_helpers.play(match, "a4-a5")
    response_text(alice, match, "offer-draw")
    looked(match)
    response_text(bob, match, "decline-draw")
    for move in ("", "j7-j6"):
        match_helpers.play(match, *filter(None, [move]))
        looked(match)
        assert sentence in alice.get(match.get_absolute_url()).content.decode()
    for move in ("b4-b5", "b7-b6"):
        match_helpers.play(match, move)
        assert sentence not in alice.get(match.get_absolute_url()).content.decode()


def test_a_plan_typed_before_the_look_is_saved(match: Match, who: People) -> None:
    match_helpers.play(match, "a4-a5")
    client = client_of(who.alice)
    seen = hidden_fields(client, match)
    looked(match)
    assert post_plan(client, match, seen, lines=LINE, wait="now", do="save").status_code == 302
    match_helpers.play(match, "j7-j6")
    assert answering.answer_turn(match.pk, who.alice.pk, match.ply) is answering.Outcome.ANSWERED


def test_a_step_on_the_practice_board_from_before_the_look_counts(
    match: Match, who: People
) -> None:
    board = PracticeClient(who.alice, match)
    seen = board.fields()
    looked(match)
    assert board.send("move", move="a4-a5", **seen).status_code == 302
    assert [step.text for step in board.stored.steps] == ["a4-a5"]
    looked(match)
    assert [step.text for step in board.stored.steps] == ["a4-a5"]
    board.page()
    assert board.send("draft").status_code == 302
    assert 'value="a4-a5"' in client_of(who.alice).get(match.get_absolute_url()).content.decode()


def answer_waits(match: Match, who: People) -> Match:
    """Bob has moved, and the answer of Alice's plan waits."""
    save(match, who.alice, LINE, wait=Wait.WHILE)
    match_helpers.play(match, "j7-j6")
    assert answering.answer_turn(match.pk, who.alice.pk, match.ply) is answering.Outcome.WAITS
    return match


def test_a_turn_with_a_waiting_answer_is_not_counted_after_the_look(
    match: Match, who: People
) -> None:
    match_helpers.play(match, "a4-a5")
    answer_waits(match, who)
    for _ in range(2):
        assert "Your plan answers" in client_of(who.alice).get("/").content.decode()
        assert waiting.counts(who.alice).matches == 0
        looked(match)


def test_a_move_that_the_plan_has_played_meanwhile_is_named(match: Match, who: People) -> None:
    match_helpers.play(match, "a4-a5")
    save(match, who.alice, LINE)
    match_helpers.play(match, "j7-j6")
    seen = match.ply
    looked(match)
    assert answering.answer_turn(match.pk, who.alice.pk, seen) is answering.Outcome.ANSWERED
    for ply in (seen, seen + 1):
        fields = {"move": "e4-e5", "ply": ply}
        answer: Any = client_of(who.alice).post(f"/match/{match.pk}/move/", fields)
        assert answer.status_code == 409
        assert "Your plan has just played b4-b5." in alert(answer)
