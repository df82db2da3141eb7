"""Replies to e-mails from before a look of staff: they count as if nobody had looked."""

import pytest

from games.play.commands import endings
from games.play.commands.plans import answering
from games.play.models.match import Match, Status
from lib.db_clock import frozen_at
from tests.mail import post
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.play.match_helpers import People, as_is
from tests.play.plan_helpers import plan_of, save, texts
from tests.play.staff_looks import looked

pytestmark = pytest.mark.postgresql_soak


def test_a_move_is_played_once(match: Match, who: People) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    turn = post.email(who.alice)
    looked(match)
    assert post.outcome(post.answer(who.alice, turn, "b4-b5")) == "played"
    assert texts(match)[-2:] == ["", "b4-b5"]
    assert post.outcome(post.answer(who.alice, turn, "b4-b5")) == "repeated"
    assert post.outcome(post.answer(who.alice, turn, "b5-b6")) == "stale"


def test_the_email_about_the_look_can_be_answered_with_a_move(match: Match, who: People) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    looked(match)
    (about,) = [email for email in post.emails(who.alice) if "Staff have looked" in text(email)]
    assert post.outcome(post.answer(who.alice, about, "b4-b5")) == "played"


def test_a_move_with_a_plan_is_played_and_the_plan_is_stored(match: Match, who: People) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    turn = post.email(who.alice)
    looked(match)
    body = "b4-b5\nif j6-j5 then b5-b6"
    assert post.outcome(post.answer(who.alice, turn, body)) == "played"
    looked(match)
    match_helpers.play(match, "j6-j5")
    assert texts(match)[-3:] == ["b4-b5", "", "j6-j5"]
    assert answering.answer_turn(match.pk, who.alice.pk, match.ply) is answering.Outcome.WAITS
    looked(match)
    plan = plan_of(match, who.alice)
    with frozen_at(plan.row.due_at):
        answered = answering.answer_due(match.pk, plan.player_id, plan.row.version)
    assert answered is answering.Outcome.ANSWERED
    assert texts(match)[-2:] == ["", "b5-b6"]


@pytest.mark.parametrize(
    ("word", "outcome", "status"),
    [("accept", "accepted", Status.FINISHED), ("decline", "declined", Status.RUNNING)],
)
def test_an_offered_draw_is_accepted(
    match: Match, who: People, word: str, outcome: str, status: Status
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    endings.offer_draw(match.pk, who.bob)
    offer = post.email(who.alice)
    looked(match)
    assert post.outcome(post.answer(who.alice, offer, word)) == outcome
    assert as_is(match).status == status


def test_a_resignation_is_confirmed_after_the_look(match: Match, who: People) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    question = post.answer(who.alice, post.email(who.alice), "resign")
    looked(match)
    assert post.outcome(post.answer(who.alice, question, "yes")) == "resigned"


def test_a_set_up_is_proposed_and_kept_after_looks(who: People) -> None:
    match = match_helpers.new_match(who)
    question = post.email(who.alice)
    looked(match)
    proposal = post.answer(who.alice, question, "random")
    looked(match)
    assert post.outcome(post.answer(who.alice, proposal, "keep")) == "set-up"


def test_the_email_about_a_turn_lists_the_move_of_the_plan_and_not_the_look(
    match: Match, who: People
) -> None:
    match_helpers.play(match, "a4-a5")
    save(match, who.alice, "if j7-j6 then b4-b5")
    match_helpers.play(match, "j7-j6")
    looked(match)
    outcome = answering.answer_turn(match.pk, who.alice.pk, match.turn_ply)
    assert outcome is answering.Outcome.ANSWERED
    looked(match)
    match_helpers.play(match, "j6-j5")
    shown = text(post.email(who.alice)).replace("\n", " ")
    assert "By your plan: Alice moved from b4 to b5." in shown
    assert "By your plan: Staff" not in shown
    assert "Alice moved from a4 to a5." in shown
    assert plan_of(match, who.alice).row.state == "ended"
