"""Front page of a player: last moves in words, and the number of what waits."""

from datetime import timedelta

import pytest
from django.test import Client

from games.lobby.models import Invitation, InvitationKind
from games.play.commands import endings
from games.play.commands.plans.answering import Outcome, answer_turn
from games.play.lists import turns, waiting
from games.play.models.match import Match
from games.play.models.plan import Plan, Wait
from lib.db_clock import now
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.plan_helpers import save

pytestmark = pytest.mark.postgresql


def challenge_to_alice(who: People, **fields: object) -> Invitation:
    """A challenge by Bob to Alice."""
    at = now()
    terms: dict[str, object] = {
        "kind": InvitationKind.CHALLENGE,
        "preset": "lattaque-en",
        "pace": "3d",
        "setup_pace": "5d",
        "created_at": at,
        "expires_at": at + timedelta(days=14),
    }
    made: Invitation = Invitation.objects.create(
        owner=who.bob, guest=who.alice, **{**terms, **fields}
    )
    return made


def test_a_row_says_what_the_last_move_did(who: People, alice_client: Client) -> None:
    match_helpers.running_match(who, "a4xa7", "j7-j6")
    fought = match_helpers.running_match(who, "a4xa7")
    page = alice_client.get("/").content.decode()
    assert "Bob moved from j7 to j6." in page
    assert "Alice attacked a7 from a4: Scout against Marshal." in page
    match_helpers.play(fought, "j7-j6")
    assert "Alice attacked a7" not in alice_client.get("/").content.decode()


def test_before_the_first_move_a_row_has_no_last_move(who: People, alice_client: Client) -> None:
    match_helpers.set_up(match_helpers.new_match(who))
    match_helpers.new_match(who)
    assert "finished the set-up" not in alice_client.get("/").content.decode()


def test_the_number_counts_challenges_too_on_every_page(who: People, alice_client: Client) -> None:
    match = match_helpers.running_match(who)
    challenge_to_alice(who)
    challenge_to_alice(who)
    challenge_to_alice(who, expires_at=now() - timedelta(hours=1))
    match_helpers.running_match(who, "a4-a5")
    for address in ("/", "/lobby/", f"/match/{match.pk}/"):
        assert '<span class="count">3<span' in alice_client.get(address).content.decode(), address
    assert "2 challenges are waiting for your answer." in alice_client.get("/").content.decode()
    client = Client()
    client.force_login(who.bob)
    assert '<span class="count">1<span' in client.get("/").content.decode()


# --- A plan that answers


@pytest.fixture
def match_with_waiting_answer(who: People) -> Match:
    """Alice is to move in three matches; her plan answers in this one, in a while."""
    match = match_helpers.running_match(who, "a4-a5")
    save(match, who.alice, "if j7-j6 then b4-b5", wait=Wait.WHILE)
    match_helpers.play(match, "j7-j6")
    match_helpers.running_match(who)
    match_helpers.running_match(who)
    match.refresh_from_db()
    assert answer_turn(match.pk, who.alice.pk, match.ply) is Outcome.WAITS
    return match


def test_a_turn_that_a_plan_answers_is_listed_separately(
    who: People, alice_client: Client, match_with_waiting_answer: Match
) -> None:
    page = alice_client.get("/").content.decode()
    planned_list = page.partition("<caption>Your plan answers</caption>")[2]
    assert "Your plan answers at about " in planned_list
    assert page.count("Your move") == 2


def test_a_turn_that_a_plan_answers_is_not_counted_anywhere(
    who: People, alice_client: Client, match_with_waiting_answer: Match
) -> None:
    for address in ("/", "/lobby/", f"/match/{match_with_waiting_answer.pk}/"):
        page = alice_client.get(address).content.decode()
        assert "<title>(2) " in page, address
        assert '<span class="count">2<span' in page, address
    assert alice_client.get(f"/match/{match_with_waiting_answer.pk}/news/").json()["waiting"] == 2
    assert waiting.count_waiting(who.alice) == 2
    others = [seat.match_id for seat in waiting.waiting_for(who.alice)]
    assert match_with_waiting_answer.pk not in others
    assert others == [turn.match for turn in turns.turns(who.alice.pk)]
    # The opponent's plans are shown to nobody else.
    assert waiting.count_waiting(who.bob) == 0


def test_a_turn_whose_plan_is_held_waits_for_its_player(
    who: People, alice_client: Client, match_with_waiting_answer: Match
) -> None:
    endings.offer_draw(match_with_waiting_answer.pk, who.bob)
    page = alice_client.get("/").content.decode()
    assert "<title>(3) " in page
    assert "Your plan answers" not in page
    endings.decline_draw(match_with_waiting_answer.pk, who.alice)
    assert "<title>(2) " in alice_client.get("/").content.decode()


def test_a_plan_for_an_earlier_turn_answers_nothing(
    who: People, alice_client: Client, match_with_waiting_answer: Match
) -> None:
    Plan.objects.update(ply=match_with_waiting_answer.ply - 2)
    assert "<title>(3) " in alice_client.get("/").content.decode()
