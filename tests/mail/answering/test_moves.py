"""Moves by e-mail: played once, at the ply of the e-mail, or refused with a reason."""

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.play.models.match import Match
from games.rules.core.basics.pieces import Seat
from tests.mail import post
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def turn(match: Match, alice: User) -> EmailMultiAlternatives:
    """The e-mail to Alice that it is her turn."""
    match_helpers.play(match, "a4-a5", "j7-j6")
    return post.email(alice)


def test_a_move_is_played_and_its_receipt_says_so(
    match: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "b4-b5\n\nWell, well.\n")
    assert post.outcome(receipt) == "played"
    assert match_helpers.as_is(match).ply == match.ply + 1
    assert text(receipt).startswith("Played: b4-b5.")


def test_the_receipt_has_the_headers_of_a_reply(
    match: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "b4-b5", message_id="<this@example.org>")
    headers = receipt.extra_headers
    assert headers["In-Reply-To"] == "<this@example.org>"
    assert headers["References"].split() == [
        f"<match.{match.pk}@localhost>",
        "<this@example.org>",
    ]
    assert headers["Auto-Submitted"] == "auto-replied"
    assert headers["Reply-To"] not in ("", post.reply_to(turn))
    assert receipt.to == [alice.email]


def test_a_redelivered_message_has_one_receipt(alice: User, turn: EmailMultiAlternatives) -> None:
    raw = post.written(alice, "b4-b5")
    post.take(turn, raw)
    post.take(turn, raw)
    assert len(post.emails(alice)) == 1


def test_the_same_move_in_another_message_is_reported_as_repeated(
    alice: User, turn: EmailMultiAlternatives
) -> None:
    post.answer(alice, turn, "b4-b5")
    assert post.outcome(post.answer(alice, turn, "b4 b5")) == "repeated"


def test_another_move_in_reply_to_an_old_email_is_stale(
    alice: User, match: Match, turn: EmailMultiAlternatives
) -> None:
    post.answer(alice, turn, "b4-b5")
    receipt = post.answer(alice, turn, "b5-b6")
    assert post.outcome(receipt) == "stale"
    assert match_helpers.as_is(match).ply == match.ply + 1


def test_an_illegal_move_is_refused_with_the_rule_and_the_squares(
    alice: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "b4-b9")
    assert post.outcome(receipt) == "refused"
    assert "b4" in text(receipt) and "b9" in text(receipt)


def test_a_capture_on_an_empty_square_is_refused(alice: User, turn: EmailMultiAlternatives) -> None:
    receipt = post.answer(alice, turn, "b4xb5")
    assert post.outcome(receipt) == "refused"
    assert "There is no enemy piece on b5" in text(receipt)
    assert post.outcome(post.answer(alice, receipt, "b4 b5")) == "played"


def test_two_moves_are_ambiguous_and_neither_is_played(
    alice: User, match: Match, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "b4-b5\ne4-e5")
    assert post.outcome(receipt) == "ambiguous"
    assert "(a)“b4-b5”, (b)“e4-e5”" in text(receipt)
    assert match_helpers.as_is(match).ply == match.ply


def test_receipts_can_be_replied_to(alice: User, turn: EmailMultiAlternatives) -> None:
    receipt = post.answer(alice, turn, "b4-b5")
    assert post.outcome(post.answer(alice, receipt, "b5-b6")) == "refused"
    assert post.outcome(post.answer(alice, receipt, "draw?")) == "offered"


def test_a_draw_offer_may_accompany_a_move(
    alice: User, match: Match, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "b4-b5\ndraw?")
    assert post.outcome(receipt) == "played"
    assert match_helpers.as_is(match).draw_offer == 0


def test_prose_gets_one_explanation_an_hour(alice: User, turn: EmailMultiAlternatives) -> None:
    receipt = post.answer(alice, turn, "What a lovely game.")
    assert post.outcome(receipt) == "unread"
    assert post.answers(alice, turn, "Is anybody there?") == []
    assert post.last().outcome == "unread"


def test_an_auto_reply_to_an_explanation_gets_no_second_one(
    alice: User, turn: EmailMultiAlternatives
) -> None:
    explanation = post.answer(alice, turn, "I am away until Monday.")
    assert post.outcome(explanation) == "unread"
    assert post.answers(alice, explanation, "I am away until Monday.") == []


def test_a_finished_match_accepts_no_move(who: People, alice: User) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    email = post.email(alice)
    match_helpers.resign(match, Seat.NORTH)
    receipt = post.answer(alice, email, "b4-b5")
    assert post.outcome(receipt) == "over"
    assert "Alice won" in text(receipt)


def test_a_stale_move_to_a_finished_match_is_answered_that_it_is_over(
    who: People, alice: User
) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    email = post.email(alice)
    match_helpers.resign(match_helpers.play(match, "b4-b5"), Seat.NORTH)
    assert post.outcome(post.answer(alice, email, "e4-e5")) == "over"
    assert post.outcome(post.answer(alice, email, "b4-b5")) == "repeated"
